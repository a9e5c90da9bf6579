import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../../api/client.ts';
import type { Property } from '../../../api/types.ts';
import { Term } from '../../../features/glossary/Term.tsx';
import { Field } from '../../../parts/Field.tsx';
import { Switch } from '../../../parts/Switch.tsx';
import { ErrorState, FormError } from '../../../parts/states.tsx';
import { Time } from '../../../parts/Time.tsx';
import { type AlertRule, alertsQueries, useRules } from '../api.ts';
import { sentenceOf, thresholdLabel, unitOf } from '../messages.ts';
import { reachedText } from './history.ts';
import { MuteMenu } from './MuteMenu.tsx';
import { ThresholdChart } from './ThresholdChart.tsx';

export function RuleRow({ property, rule }: { property: Property; rule: AlertRule }) {
  const [changing, setChanging] = useState(false);
  const { mutate, isPending, error, variables } = useRules(property.id, `${rule.title} saved`);
  // Optimistic: shown before the service has confirmed it.
  const isOn = isPending ? (variables.rules?.[0]?.enabled ?? rule.enabled) : rule.enabled;
  return (
    <li className="rule-row" data-off={!isOn}>
      <Switch
        label={rule.title}
        hint={
          <>
            <RuleSentence rule={rule} />
            {isOn && rule.muted_until !== null && (
              <span className="rule-note">
                Muted until <Time value={rule.muted_until} form="short" />
              </span>
            )}
          </>
        }
        on={isOn}
        onSwitch={(enabled) => mutate({ rules: [{ kind: rule.kind, enabled }] })}
      />
      <Reached property={property} rule={rule} />
      <div className="rule-actions">
        {!changing && (
          <button
            type="button"
            className="button button-small"
            aria-label={`Edit the threshold of ${rule.title}`}
            onClick={() => setChanging(true)}
          >
            Edit
          </button>
        )}
        {isOn && <MuteMenu rule={rule} onMute={(until) => mutate(muted(rule, until))} />}
      </div>
      {changing && <ThresholdForm property={property} rule={rule} onClose={() => setChanging(false)} />}
      {error !== null && <ErrorState error={error} />}
    </li>
  );
}

/** On how many of the last days its threshold was reached: whether it is set too low or too high. */
function Reached({ property, rule: { kind, threshold } }: { property: Property; rule: AlertRule }) {
  const { data } = useQuery(alertsQueries.history(property.id));
  const history = data?.items.find((one) => one.kind === kind);
  return <span className="rule-reached">{history !== undefined && reachedText(history, threshold)}</span>;
}

/** Alerts of a muted rule are listed and not sent, until a moment; null: they are sent. */
const muted = ({ kind }: AlertRule, until: string | null) => ({ rules: [{ kind, muted_until: until }] });

interface ThresholdFormProps {
  property: Property;
  rule: AlertRule;
  onClose: () => void;
}

/** The threshold of a rule: the field and what it means at the left, what it would have done at the right, below on a narrow screen. */
function ThresholdForm({ property, rule, onClose }: ThresholdFormProps) {
  const [text, setText] = useState(String(rule.threshold));
  const { mutate, isPending, error } = useRules(property.id, `${rule.title} saved`, onClose);
  const value = Number(text.trim().replace(',', '.'));
  const isFine = text.trim() !== '' && value >= rule.min && value <= rule.max;
  const range = `${rule.min.toLocaleString('en')} and ${rule.max.toLocaleString('en')}`;
  const save = (threshold: number | null) => mutate({ rules: [{ kind: rule.kind, threshold }] });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isFine && value !== rule.threshold) save(value);
  };
  return (
    <form className="threshold" onSubmit={submit}>
      <Field
        label={thresholdLabel(rule)}
        autoFocus
        inputMode="decimal"
        autoComplete="off"
        className="number"
        unit={unitOf(rule, value)}
        value={text}
        onChange={(event) => setText(event.target.value)}
        error={
          isFine ? (error instanceof ApiError ? error.fields[0]?.message : undefined) : `Between ${range}.`
        }
        hint={`Between ${range}. Default: ${rule.default.toLocaleString('en')}.`}
      />
      <p className="threshold-how">{rule.details}</p>
      <FormError error={error} />
      <div className="panel-actions threshold-actions">
        <button
          type="submit"
          className="button button-small button-primary"
          disabled={isPending || !isFine || value === rule.threshold}
        >
          {isPending ? 'Saving…' : 'Save'}
        </button>
        {rule.threshold !== rule.default && (
          <button
            type="button"
            className="button button-small"
            disabled={isPending}
            onClick={() => save(null)}
          >
            Reset to {rule.default.toLocaleString('en')}
          </button>
        )}
        <button type="button" className="button button-small button-plain" onClick={onClose}>
          Cancel
        </button>
      </div>
      <ThresholdChart property={property} rule={rule} threshold={isFine ? value : rule.threshold} />
    </form>
  );
}

const USUAL = 'usual';

/** What “usual” is, as it is explained in the list of alerts. */
function WithBaseline({ of }: { of: string }) {
  const at = of.indexOf(USUAL);
  if (at < 0) return of;
  return (
    <>
      {of.slice(0, at)}
      <Term name="baseline">{USUAL}</Term>
      {of.slice(at + USUAL.length)}
    </>
  );
}

/** The sentence of a rule, with its threshold in the middle. */
export function RuleSentence({ rule }: { rule: AlertRule }) {
  const [before, threshold, after] = sentenceOf(rule);
  return (
    <span className="rule-sentence">
      {before}
      <strong className="number">{threshold}</strong>
      {rule.kind === 'spike' ? <WithBaseline of={after} /> : after}
    </span>
  );
}
