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
      <Section
        title="Attribution window"
        about="How long after a click a conversion is still credited to it. A refund follows its order."
      >
        <RequirePermission>
          <WindowForm property={property} days={settings.lookback_days} />
        </RequirePermission>
      </Section>
      <Section
        title="When consent is unknown"
        about="What ad platforms get when neither your server nor the browser says whether the customer consented."
      >
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
    'Send, except from Europe (default)',
    'Conversions from the EEA, the UK and Switzerland aren’t sent. All others are sent without a consent signal.',
  ],
  ['unknown', 'Send all, without a consent signal', 'Each ad platform then applies its own rules.'],
  [
    'granted',
    'Send all, as consented',
    'Only if your shop asks every customer and posts no conversion of those who refuse.',
  ],
  ['denied', 'Send none', 'Conversions are recorded and matched here only.'],
];

/** A conversion with its own consent signal always uses that. */
function ConsentForm({ property, chosen }: { property: Property; chosen: ConsentDefault }) {
  const { mutate, isPending, isSuccess, error } = useSettings(property.id, 'Consent default saved');
  const [wanted, setWanted] = useState(chosen);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate({ consent_default: wanted });
  };
  return (
    <form className="form consent-form" onSubmit={submit}>
      <fieldset className="consents">
        <legend className="visually-hidden">Without a consent signal</legend>
        {CHOICES.map(([value, name, about]) => (
          <label key={value} className="choice" data-chosen={value === wanted}>
            <input type="radio" name="consent" checked={value === wanted} onChange={() => setWanted(value)} />
            <span>
              {name}
              <span className="way-about">{about}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {error !== null && <ErrorState error={error} />}
      <SaveLine
        what="the consent setting"
        isPending={isPending}
        isChanged={wanted !== chosen}
        isSaved={isSuccess}
      />
    </form>
  );
}

function WindowForm({ property, days }: { property: Property; days: number }) {
  const [text, setText] = useState(String(days));
  const { mutate, isPending, isSuccess, error } = useSettings(property.id, 'Attribution window saved');
  const wanted = readDays(text);
  const refused = error instanceof ApiError ? error.field('lookback_days') : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (wanted !== null) mutate({ lookback_days: wanted });
  };
  return (
    <form className="form window-form" onSubmit={submit}>
      <Field
        label="Days after the click"
        required
        inputMode="numeric"
        className="number"
        value={text}
        onChange={(event) => setText(event.target.value)}
        error={wanted === null ? `${LOOKBACK.least} to ${LOOKBACK.most} whole days.` : refused}
        hint={`${LOOKBACK.least} to ${LOOKBACK.most}. Applies to new conversions.`}
      />
      <SaveLine
        what="the attribution window"
        isPending={isPending}
        isChanged={wanted !== null && wanted !== days}
        isSaved={isSuccess}
      />
      {error !== null && refused === undefined && <ErrorState error={error} />}
    </form>
  );
}

interface SaveLineProps {
  /** Said to screen readers: `the attribution window`. */
  what: string;
  isPending: boolean;
  /** The form differs from what is saved, and is valid. */
  isChanged: boolean;
  isSaved: boolean;
}

/** The button of a form, ready once something is changed; then that it was saved, until something is changed again. */
function SaveLine({ what, isPending, isChanged, isSaved }: SaveLineProps) {
  return (
    <div className="save-line">
      <button type="submit" className="button button-primary" disabled={isPending || !isChanged}>
        {isPending ? 'Saving…' : 'Save'}
        <span className="visually-hidden"> {what}</span>
      </button>
      {isSaved && !isChanged && !isPending && <Mark tone="good" title="Saved" />}
    </div>
  );
}
