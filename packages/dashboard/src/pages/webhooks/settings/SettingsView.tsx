import { type FormEvent, useState } from 'react';
import { ApiError } from '../../../api/client.ts';
import type { Property } from '../../../api/types.ts';
import { RequirePermission } from '../../../features/session/RequirePermission.tsx';
import { type ConsentDefault, useSettings, type WebhookSettings } from '../../../features/webhooks/api.ts';
import { DangerRow, DangerZone } from '../../../parts/DangerZone.tsx';
import { Field } from '../../../parts/Field.tsx';
import { Section } from '../../../parts/Section.tsx';
import { Mark } from '../../../parts/Sign.tsx';
import { ErrorState } from '../../../parts/states.tsx';
import { LOOKBACK, readDays } from '../model/limits.ts';
import { DomainsPanel } from './DomainsPanel.tsx';
import { DisableReceiving, EnableReceiving } from './ReceivingControl.tsx';

export function SettingsView({ property, settings }: { property: Property; settings: WebhookSettings }) {
  return (
    <div className="sections webhook-sections">
      {!settings.enabled && (
        <Section title="Receiving" about="Conversions are not accepted.">
          <RequirePermission>
            <EnableReceiving property={property} />
          </RequirePermission>
        </Section>
      )}
      <Section title="Attribution window" about="How long after a click a conversion still counts for it.">
        <RequirePermission>
          <LookbackForm property={property} days={settings.lookback_days} />
        </RequirePermission>
      </Section>
      <Section title="Consent" about="For conversions that don’t say whether the customer agreed.">
        <RequirePermission>
          <ConsentForm property={property} chosen={settings.consent_default} />
        </RequirePermission>
      </Section>
      <Section title="Custom tracking domains" about="Your own domain in front of this service.">
        <DomainsPanel property={property} />
      </Section>
      {settings.enabled && (
        <DangerZone>
          <DangerRow
            title="Disable receiving"
            about="Posts get 404 and are not recorded. Keys, settings and recorded conversions are kept."
          >
            <RequirePermission>
              <DisableReceiving property={property} />
            </RequirePermission>
          </DangerRow>
        </DangerZone>
      )}
    </div>
  );
}

const CHOICES: readonly (readonly [ConsentDefault, string, string])[] = [
  [
    'by_region',
    'By country',
    'Not sent for customers in the EEA, the UK and Switzerland. Sent for all others, with nothing said about consent.',
  ],
  ['unknown', 'Send, consent unknown', 'In every country, with nothing said about consent.'],
  [
    'granted',
    'Send, consent given',
    'Choose this only if your shop asks, and posts nothing of customers who refuse.',
  ],
  ['denied', 'Don’t send', 'Recorded and matched, but not sent to any platform.'],
];

/** A conversion with its own consent signal always uses that. */
function ConsentForm({ property, chosen }: { property: Property; chosen: ConsentDefault }) {
  const { mutate, isSuccess, error } = useSettings(property.id, 'Consent default saved');
  // Optimistic: a choice that could not be saved is reverted.
  const [shown, setShown] = useState(chosen);
  const choose = (value: ConsentDefault) => {
    setShown(value);
    mutate({ consent_default: value }, { onError: () => setShown(chosen) });
  };
  return (
    <div className="form consent-form">
      <fieldset className="consents">
        <legend className="visually-hidden">Without a consent signal</legend>
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
      <SavedLine shown={isSuccess} />
      {error !== null && <ErrorState error={error} />}
    </div>
  );
}

function LookbackForm({ property, days }: { property: Property; days: number }) {
  const [text, setText] = useState(String(days));
  const { mutate, isPending, isSuccess, error } = useSettings(property.id, 'Attribution window saved');
  const wanted = readDays(text);
  const refused = error instanceof ApiError ? error.field('lookback_days') : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (wanted !== null) mutate({ lookback_days: wanted });
  };
  return (
    <form className="form" onSubmit={submit}>
      <Field
        label="Days after the click"
        required
        inputMode="numeric"
        className="number days-input"
        value={text}
        onChange={(event) => setText(event.target.value)}
        error={wanted === null ? `${LOOKBACK.least} to ${LOOKBACK.most} whole days.` : refused}
        hint="Applies to new conversions; recorded ones do not change. Refunds inherit their order’s match at any age."
      />
      {error !== null && refused === undefined && <ErrorState error={error} />}
      <div className="save-line">
        <button type="submit" className="button" disabled={isPending || wanted === null || wanted === days}>
          {isPending ? 'Saving…' : 'Save'}
        </button>
        <SavedLine shown={isSuccess && wanted === days} />
      </div>
    </form>
  );
}

/** Its place is kept, so that nothing moves when it appears. */
function SavedLine({ shown }: { shown: boolean }) {
  return <p className="saved-line">{shown && <Mark tone="good" title="Saved" />}</p>;
}
