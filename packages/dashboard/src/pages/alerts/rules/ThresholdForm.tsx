import { type FormEvent, useState } from 'react';
import { ApiError } from '../../../api/client.ts';
import type { Property } from '../../../api/types.ts';
import { Field } from '../../../parts/Field.tsx';
import { FormError } from '../../../parts/states.tsx';
import type { AlertRule } from '../types.ts';
import { useRules } from './useRules.ts';

interface ThresholdFormProps {
  property: Property;
  rule: AlertRule;
  onClose: () => void;
}

/** From when on a rule fires. */
export function ThresholdForm({ property, rule, onClose }: ThresholdFormProps) {
  const [text, setText] = useState(String(rule.threshold));
  const { mutate, isPending, error } = useRules(property.id, `${rule.title} saved`, onClose);
  const value = Number(text.trim().replace(',', '.'));
  const isFine = text.trim() !== '' && value >= rule.min && value <= rule.max;
  const range = `${rule.min.toLocaleString('en')} to ${rule.max.toLocaleString('en')}`;
  const save = (threshold: number | null) => mutate({ rules: [{ kind: rule.kind, threshold }] });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isFine) save(value);
  };
  return (
    <form className="threshold" onSubmit={submit}>
      <Field
        label={`Threshold of ${rule.title}, in ${rule.unit}`}
        autoFocus
        inputMode="decimal"
        autoComplete="off"
        className="number threshold-input"
        value={text}
        onChange={(event) => setText(event.target.value)}
        error={isFine ? (error instanceof ApiError ? error.fields[0]?.message : undefined) : `${range}.`}
        hint={`${range}; ${rule.default.toLocaleString('en')} unless changed.`}
      />
      <FormError error={error} />
      <div className="panel-actions">
        <button type="submit" className="button button-small button-primary" disabled={isPending || !isFine}>
          {isPending ? 'Saving…' : 'Save'}
        </button>
        {rule.threshold !== rule.default && (
          <button
            type="button"
            className="button button-small"
            disabled={isPending}
            onClick={() => save(null)}
          >
            Back to {rule.default.toLocaleString('en')}
          </button>
        )}
        <button type="button" className="button button-small button-plain" onClick={onClose}>
          Cancel
        </button>
      </div>
    </form>
  );
}
