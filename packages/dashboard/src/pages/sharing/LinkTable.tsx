import type { ShareLink } from '../../features/sharing/api.ts';
// Its tables become cards on a phone.
import '../../features/people/styles/index.css';
import { Time } from '../../parts/Time.tsx';

const STATES = { open: 'open', ended: 'ended', revoked: 'revoked' } as const;

interface LinkTableProps {
  links: readonly ShareLink[];
  onRevoke: (link: ShareLink) => void;
}

/** Open links first; ended ones stay listed, to explain why one opens nothing. */
export function LinkTable({ links, onRevoke }: LinkTableProps) {
  const sorted = [
    ...links.filter(({ state }) => state === 'open'),
    ...links.filter(({ state }) => state !== 'open'),
  ];
  return (
    <div className="card table-card">
      <table className="table stack-table" aria-label="Share links">
        <thead>
          <tr>
            <th scope="col">For</th>
            <th scope="col">Password</th>
            <th scope="col">Created</th>
            <th scope="col">Last used</th>
            <th scope="col">Until</th>
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
                <code className="cell-below">{link.prefix}…</code>
              </th>
              <td data-label="Password">{link.has_password ? 'yes' : 'none'}</td>
              <td data-label="Created">
                <Time value={link.created_at} form="date" />
              </td>
              <td data-label="Last used">
                <Time value={link.last_used_at} form="ago" none="never" />
              </td>
              <td data-label="Until">
                <Time value={link.expires_at} form="date" none="it is revoked" />
              </td>
              <td className="cell-action">
                {link.state === 'open' ? (
                  <button
                    type="button"
                    className="button button-small button-bad"
                    aria-label={`Revoke ${link.name}`}
                    onClick={() => onRevoke(link)}
                  >
                    Revoke
                  </button>
                ) : (
                  <span className="tag">{STATES[link.state]}</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
