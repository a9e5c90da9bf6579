import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
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
  const name = useId();
  const rules = useQuery(alertsQueries.rules(property.id)).data?.rules ?? [];
  return (
    <fieldset className="choices">
      <legend>Rules</legend>
      <label className="choice" data-chosen={kinds === null}>
        <input type="radio" name={name} checked={kinds === null} onChange={() => onChoose(null)} />
        <span>All, including future ones</span>
      </label>
      <label className="choice" data-chosen={kinds !== null}>
        <input
          type="radio"
          name={name}
          checked={kinds !== null}
          // None is ticked: a click on one rule chooses it.
          onChange={() => onChoose([])}
        />
        <span>Choose rules…</span>
      </label>
      {kinds !== null && (
        <ul className="kinds">
          {rules.map(({ kind, title }) => (
            <li key={kind}>
              <label className="check">
                <input
                  type="checkbox"
                  checked={kinds.includes(kind)}
                  onChange={({ target }) =>
                    onChoose(target.checked ? [...kinds, kind] : kinds.filter((one) => one !== kind))
                  }
                />
                <span>{title}</span>
              </label>
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  );
}
