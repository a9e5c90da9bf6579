import { RequirePermission } from '../../../features/session/RequirePermission.tsx';
import type { WebhookKey } from '../../../features/webhooks/api.ts';
import { LastUsed } from '../../../parts/list/keys.tsx';
import { RowMenu } from '../../../parts/list/RowMenu.tsx';

interface WebhookKeyTableProps {
  keys: readonly WebhookKey[];
  onLimit: (key: WebhookKey) => void;
  onRevoke: (key: WebhookKey) => void;
}

/** Active keys first; revoked keys stay listed, to explain a 401. */
export function WebhookKeyTable({ keys, onLimit, onRevoke }: WebhookKeyTableProps) {
  const isActive = (key: WebhookKey) => key.revoked_at === null;
  const sorted = [...keys.filter(isActive), ...keys.filter((key) => !isActive(key))];
  return (
    <div className="card table-card webhook-keys">
      <table className="table stack-table webhook-key-table" aria-label="Webhook keys">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Rate limit</th>
            <th scope="col">Last used</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {sorted.map((key) => (
            <tr key={key.id} data-off={!isActive(key)}>
              <th scope="row" className="break">
                <span className="row-name">{key.name}</span>
                <code className="cell-below">{key.prefix}…</code>
              </th>
              <td data-label="Rate limit">
                {isActive(key) ? (
                  <RequirePermission>
                    <button
                      type="button"
                      className="limit-button number"
                      aria-label={`Rate limit of ${key.name}: ${key.rate_limit} per minute. Change it`}
                      onClick={() => onLimit(key)}
                    >
                      {key.rate_limit.toLocaleString('en')} per minute
                    </button>
                  </RequirePermission>
                ) : (
                  '–'
                )}
              </td>
              <td data-label="Last used">
                <LastUsed at={key.last_used_at} from={key.last_used_from} />
              </td>
              <td className="cell-action">
                {isActive(key) ? (
                  <RequirePermission>
                    <RowMenu
                      name={key.name}
                      actions={[
                        { label: 'Change rate limit', onSelect: () => onLimit(key) },
                        { label: 'Revoke', onSelect: () => onRevoke(key), isBad: true },
                      ]}
                    />
                  </RequirePermission>
                ) : (
                  <span className="tag">revoked</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
