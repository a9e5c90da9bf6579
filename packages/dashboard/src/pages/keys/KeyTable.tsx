import type { IngestKey } from '../../api/types.ts';
import { Term } from '../../features/glossary/Term.tsx';
import { useProperties } from '../../features/property/useProperty.ts';
import { RequirePermission } from '../../features/session/RequirePermission.tsx';
import { LastUsed } from '../../parts/list/keys.tsx';
import { RowMenu } from '../../parts/list/RowMenu.tsx';
import { Time, useNow, useTimeZone } from '../../parts/Time.tsx';
import { useSourceName, useSources } from '../../parts/useSources.ts';

interface KeyTableProps {
  keys: readonly IngestKey[];
  onSettings: (key: IngestKey) => void;
  onRotate: (key: IngestKey) => void;
  onRevoke: (key: IngestKey) => void;
}

/** Active keys first; revoked and expired keys stay listed, to explain a 401. */
export function KeyTable({ keys, onSettings, onRotate, onRevoke }: KeyTableProps) {
  const properties = useProperties();
  const sourceName = useSourceName();
  const sources = useSources();
  const now = useNow();
  const zone = useTimeZone();
  const hasSettings = ({ provider }: IngestKey) =>
    sources.some(({ name, settings }) => name === provider && settings.length > 0);
  const domainOf = (id: string | null | undefined) =>
    id === null || id === undefined
      ? 'None'
      : (properties.find((property) => property.id === id)?.domain ?? 'Deleted');
  const expired = ({ expires_at }: IngestKey) => expires_at !== null && Date.parse(expires_at) <= now;
  const active = keys.filter((key) => key.revoked_at === null && !expired(key));
  const gone = keys.filter((key) => !active.includes(key));
  return (
    <div className="card table-card">
      <table className="table stack-table key-table" aria-label="Ingest keys">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Source</th>
            <th scope="col">
              <Term name="default property">Default property</Term>
            </th>
            <th scope="col">Last used</th>
            <th scope="col">Created</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {[...active, ...gone].map((key) => {
            const off = !active.includes(key);
            return (
              <tr key={key.id} data-off={off}>
                <th scope="row">
                  <span className="row-name">{key.name}</span>
                  <code className="cell-below">{key.prefix}…</code>
                  {!off && key.expires_at !== null && (
                    <span className="cell-below key-until">
                      Replaced; works until <Time value={key.expires_at} form="date" /> {zone}
                    </span>
                  )}
                </th>
                <td data-label="Source">{sourceName(key.provider)}</td>
                <td>
                  <span className="card-label">
                    <Term name="default property">Default property</Term>
                  </span>
                  {domainOf(key.attribution_id)}
                </td>
                <td data-label="Last used">
                  <LastUsed at={key.last_used_at} from={key.last_used_from} />
                </td>
                <td data-label="Created">
                  <Time value={key.created_at} form="day" />
                </td>
                <td className="cell-action">
                  {off ? (
                    <span className="tag">{key.revoked_at === null ? 'expired' : 'revoked'}</span>
                  ) : (
                    <RequirePermission permission="organization">
                      <span className="key-actions">
                        {key.expires_at === null && (
                          <button
                            type="button"
                            className="button button-small"
                            aria-label={`Rotate ${key.name}`}
                            onClick={() => onRotate(key)}
                          >
                            Rotate
                          </button>
                        )}
                        <RowMenu
                          name={key.name}
                          actions={[
                            ...(hasSettings(key)
                              ? [{ label: 'Settings', onSelect: () => onSettings(key) }]
                              : []),
                            { label: 'Revoke', onSelect: () => onRevoke(key), isBad: true },
                          ]}
                        />
                      </span>
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
