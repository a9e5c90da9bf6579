import type { ShareLink } from '../../features/sharing/api.ts';
import { IconLock } from '../../features/sharing/icons.tsx';
import '../../parts/list/stack-table.css';
import { Time } from '../../parts/Time.tsx';

interface LinkTableProps {
  links: readonly ShareLink[];
  onRevoke: (link: ShareLink) => void;
}

/** Of its prefix, enough to tell one link from another: `shr_Lqnj…`. */
const SHOWN = 8;

/** Open links first; ended ones stay listed, to explain why one opens nothing. */
export function LinkTable({ links, onRevoke }: LinkTableProps) {
  const sorted = [
    ...links.filter(({ state }) => state === 'open'),
    ...links.filter(({ state }) => state !== 'open'),
  ];
  return (
    <div className="table-card">
      <table className="table stack-table" aria-label="Share links">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Protection</th>
            <th scope="col">Created</th>
            <th scope="col">Last used</th>
            <th scope="col">Expires</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {sorted.map((link) => (
            <tr key={link.id} data-off={link.state !== 'open'}>
              <th scope="row">
                <span className="row-name">{link.name}</span>
                <span className="cell-below" title={`The link starts with ${link.prefix}`}>
                  {link.prefix.slice(0, SHOWN)}…
                </span>
              </th>
              <td data-label="Protection">
                {link.has_password ? (
                  <span className="link-password">
                    <IconLock />
                    Password
                  </span>
                ) : (
                  <span className="link-none">None</span>
                )}
              </td>
              <td data-label="Created">
                <Time value={link.created_at} form="day" />
              </td>
              <td data-label="Last used">
                <Time value={link.last_used_at} form="ago" none="Never" />
              </td>
              <td data-label="Expires">
                <Time value={link.expires_at} form="day" none="Never" />
              </td>
              <td className="cell-action">
                {link.state === 'open' ? (
                  <button
                    type="button"
                    className="button button-small"
                    aria-label={`Revoke ${link.name}`}
                    onClick={() => onRevoke(link)}
                  >
                    Revoke
                  </button>
                ) : (
                  <span className="tag">{link.state}</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
