import { type FormEvent, useState } from 'react';
import { ApiError } from '../../../api/client.ts';
import type { Property } from '../../../api/types.ts';
import { ForWhoMay } from '../../../features/session/ForWhoMay.tsx';
import { type ConsentDefault, useSettings, type WebhookSettings } from '../../../features/webhooks/api.ts';
import { Field } from '../../../parts/Field.tsx';
import { Section } from '../../../parts/Section.tsx';
import { ErrorState } from '../../../parts/states.tsx';
import { LOOKBACK, readDays } from '../model/limits.ts';
import { DomainsPanel } from './DomainsPanel.tsx';
import { ReceivingControl } from './ReceivingControl.tsx';

export function SettingsView({ property, settings }: { property: Property; settings: WebhookSettings }) {
  return (
    <div className="sections webhook-sections">
      <Section title="Receiving" about="Whether conversions are taken at all.">
        <ForWhoMay>
          <ReceivingControl property={property} enabled={settings.enabled} />
        </ForWhoMay>
      </Section>
      <Section title="Look-back" about="How old a click may be to be credited.">
        <ForWhoMay>
          <LookbackForm key={settings.lookback_days} property={property} days={settings.lookback_days} />
        </ForWhoMay>
      </Section>
      <Section title="Consent" about="What it means when a conversion says nothing about consent.">
        <ForWhoMay>
          <ConsentForm property={property} chosen={settings.consent_default} />
        </ForWhoMay>
      </Section>
      <Section title="Custom tracking domains" about="A name of yours in front of this service.">
        <DomainsPanel property={property} />
      </Section>
    </div>
  );
}

const CHOICES: readonly (readonly [ConsentDefault, string, string])[] = [
  [
    'by_region',
    'By country',
    'Refused for customers in the EEA, the UK and Switzerland; elsewhere unknown, and sent on without a word about consent.',
  ],
  ['unknown', 'Unknown', 'Sent on without a word about consent, whatever the country.'],
  ['granted', 'Granted', 'Your shop has asked already, and posts only what was agreed to.'],
  ['denied', 'Refused', 'Recorded and matched, but sent on to nobody.'],
];

/** A conversion that carries consent of its own is always judged by that. */
function ConsentForm({ property, chosen }: { property: Property; chosen: ConsentDefault }) {
  const { mutate, error } = useSettings(property.id, 'Consent default saved');
  // Shown at once; a choice that could not be saved goes back.
  const [shown, setShown] = useState(chosen);
  const choose = (value: ConsentDefault) => {
    setShown(value);
    mutate({ consent_default: value }, { onError: () => setShown(chosen) });
  };
  return (
    <div className="form consent-form">
      <fieldset className="consents">
        <legend className="visually-hidden">When nothing is said about consent</legend>
        {CHOICES.map(([value, name, about]) => (
          <label key={value} className="choice" data-chosen={value === shown}>
            <input type="radio" name="consent" checked={value === shown} onChange={() => choose(value)} />
            <span>
              {name}
              <span className="way-about">{about}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {error !== null && <ErrorState error={error} />}
    </div>
  );
}

function LookbackForm({ property, days }: { property: Property; days: number }) {
  const [text, setText] = useState(String(days));
  const { mutate, isPending, error } = useSettings(property.id, 'Look-back saved');
  const wanted = readDays(text);
  const refused = error instanceof ApiError ? error.field('lookback_days') : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (wanted !== null) mutate({ lookback_days: wanted });
  };
  return (
    <form className="form" onSubmit={submit}>
      <Field
        label="Days from the click"
        required
        inputMode="numeric"
        className="number days-input"
        value={text}
        onChange={(event) => setText(event.target.value)}
        error={wanted === null ? `${LOOKBACK.least} to ${LOOKBACK.most} whole days.` : refused}
        hint="Holds for conversions that arrive from now on; what is recorded stays as it was judged. Refunds inherit their order’s match at any age."
      />
      {error !== null && refused === undefined && <ErrorState error={error} />}
      <div>
        <button type="submit" className="button" disabled={isPending || wanted === null || wanted === days}>
          {isPending ? 'Saving…' : 'Save'}
        </button>
      </div>
    </form>
  );
}
