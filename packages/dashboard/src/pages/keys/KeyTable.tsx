import type { IngestKey } from '../../api/types.ts';
import { useProperties } from '../../features/property/useProperty.ts';
import { RequirePermission } from '../../features/session/RequirePermission.tsx';
import { Time } from '../../parts/Time.tsx';
import { useSourceName } from '../../parts/useSources.ts';

interface KeyTableProps {
  keys: readonly IngestKey[];
  onRevoke: (key: IngestKey) => void;
}

/** Active keys first; revoked keys stay listed, to explain a 401. */
export function KeyTable({ keys, onRevoke }: KeyTableProps) {
  const properties = useProperties();
  const sourceName = useSourceName();
  const domainOf = (id: string | null | undefined) =>
    id === null || id === undefined
      ? 'none'
      : (properties.find((property) => property.id === id)?.domain ?? 'deleted');
  const active = keys.filter(({ revoked_at }) => revoked_at === null || revoked_at === undefined);
  const revoked = keys.filter((key) => !active.includes(key));
  return (
    <div className="card table-card">
      <table className="table key-table" aria-label="Ingest keys">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Key</th>
            <th scope="col">For</th>
            <th scope="col">Default property</th>
            <th scope="col">Created</th>
            <th scope="col">Last used</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {[...active, ...revoked].map((key) => {
            const gone = !active.includes(key);
            return (
              <tr key={key.id} data-off={gone}>
                <th scope="row">{key.name}</th>
                <td>
                  <code>{key.prefix}…</code>
                </td>
                <td>{sourceName(key.provider)}</td>
                <td>{domainOf(key.attribution_id)}</td>
                <td>
                  <Time value={key.created_at} form="date" />
                </td>
                <td>
                  <Time value={key.last_used_at} form="ago" none="never" />
                </td>
                <td className="cell-action">
                  {gone ? (
                    <span className="tag">revoked</span>
                  ) : (
                    <RequirePermission>
                      <button
                        type="button"
                        className="button button-small button-bad"
                        aria-label={`Revoke ${key.name}`}
                        onClick={() => onRevoke(key)}
                      >
                        Revoke
                      </button>
                    </RequirePermission>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
