import { useQuery } from '@tanstack/react-query';
import type { Property } from '../../../api/types.ts';
import { type AlertRule, alertsQueries } from '../api.ts';

export type Kinds = readonly AlertRule['kind'][] | null;

/** Which rules' alerts a channel gets; null: all of them. */
export function KindsField({
  property,
  kinds,
  onChoose,
}: {
  property: Property;
  kinds: Kinds;
  onChoose: (kinds: Kinds) => void;
}) {
  const rules = useQuery(alertsQueries.rules(property.id)).data?.rules ?? [];
  return (
    <fieldset className="kinds">
      <legend>Rules</legend>
      <label className="check">
        <input
          type="checkbox"
          checked={kinds === null}
          onChange={({ target }) => onChoose(target.checked ? null : rules.map(({ kind }) => kind))}
        />
        <span>All, including future ones</span>
      </label>
      {kinds !== null &&
        rules.map(({ kind, title }) => (
          <label key={kind} className="check">
            <input
              type="checkbox"
              checked={kinds.includes(kind)}
              onChange={({ target }) =>
                onChoose(target.checked ? [...kinds, kind] : kinds.filter((one) => one !== kind))
              }
            />
            <span>{title}</span>
          </label>
        ))}
    </fieldset>
  );
}
