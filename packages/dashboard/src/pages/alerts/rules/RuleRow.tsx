import { useState } from 'react';
import type { Property } from '../../../api/types.ts';
import { Switch } from '../../../parts/Switch.tsx';
import { ErrorState } from '../../../parts/states.tsx';
import type { AlertRule } from '../types.ts';
import { RuleSentence } from './RuleSentence.tsx';
import { ThresholdForm } from './ThresholdForm.tsx';
import { useRules } from './useRules.ts';

export function RuleRow({ property, rule }: { property: Property; rule: AlertRule }) {
  const [changing, setChanging] = useState(false);
  const { mutate, isPending, error, variables } = useRules(property.id, `${rule.title} saved`);
  // As it was pressed, before the service has said so.
  const isOn = isPending ? (variables.rules?.[0]?.enabled ?? rule.enabled) : rule.enabled;
  return (
    <li className="rule-row" data-off={!isOn}>
      <Switch
        label={rule.title}
        hint={<RuleSentence rule={rule} />}
        on={isOn}
        onSwitch={(enabled) => mutate({ rules: [{ kind: rule.kind, enabled }] })}
      />
      {changing ? (
        <ThresholdForm property={property} rule={rule} onClose={() => setChanging(false)} />
      ) : (
        <button
          type="button"
          className="button button-small"
          aria-label={`Change the threshold of ${rule.title}`}
          onClick={() => setChanging(true)}
        >
          Change
        </button>
      )}
      {error !== null && <ErrorState error={error} />}
    </li>
  );
}
