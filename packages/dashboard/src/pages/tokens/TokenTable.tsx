import { actorName } from '../../features/people/ActorName.tsx';
import type { ApiToken } from '../../features/people/api.ts';
import { Expiry } from '../../features/people/Expiry.tsx';
import { ROLE_NAMES } from '../../features/people/RoleChoice.tsx';
import { useProperties } from '../../features/property/useProperty.ts';
import { LastUsed } from '../../parts/list/keys.tsx';
import { RowMenu } from '../../parts/list/RowMenu.tsx';
import { Time, useNow } from '../../parts/Time.tsx';
import { tokenState } from './state.ts';

interface TokenTableProps {
  tokens: readonly ApiToken[];
  onRevoke: (token: ApiToken) => void;
}

/** Time enough to replace it. */
const SOON_DAYS = 14;

/** Active tokens first; ended ones stay listed, to explain a 401. */
export function TokenTable({ tokens, onRevoke }: TokenTableProps) {
  const properties = useProperties();
  const now = useNow();
  const scopeOf = ({ attribution_id: id }: ApiToken) =>
    id === null ? 'All properties' : (properties.find((one) => one.id === id)?.domain ?? 'Deleted');
  const works = (token: ApiToken) => tokenState(token, now) === 'active';
  const sorted = [...tokens.filter(works), ...tokens.filter((token) => !works(token))];
  return (
    <div className="card table-card">
      <table className="table stack-table line-table tokens-table" aria-label="API tokens">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Role</th>
            <th scope="col">Access</th>
            <th scope="col">Created by</th>
            <th scope="col">Last used</th>
            <th scope="col">Expires</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {sorted.map((token) => {
            const state = tokenState(token, now);
            return (
              <tr key={token.id} data-off={state !== 'active'}>
                <th scope="row">
                  <span className="row-name">{token.name}</span>
                  <code className="cell-below">{token.prefix}…</code>
                </th>
                <td data-label="Role">{ROLE_NAMES[token.role]}</td>
                <td data-label="Access">{scopeOf(token)}</td>
                <td data-label="Created by">
                  {token.mine ? (
                    <span className="expiry-words">You</span>
                  ) : (
                    actorName(token.created_by, token.created_by_name)
                  )}
                  <span className="cell-below">
                    <Time value={token.created_at} form="day" />
                  </span>
                </td>
                <td data-label="Last used">
                  <LastUsed at={token.last_used_at} from={token.last_used_from} />
                </td>
                <td data-label="Expires">
                  <Expiry value={token.expires_at} soon={SOON_DAYS} />
                </td>
                <td className="cell-action">
                  {state === 'active' ? (
                    <RowMenu
                      name={token.name}
                      actions={[{ label: 'Revoke', onSelect: () => onRevoke(token), isBad: true }]}
                    />
                  ) : (
                    <span className="tag">{state}</span>
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
