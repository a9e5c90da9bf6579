import { useState } from 'react';
import type { Property } from '../../../api/types.ts';
import type { ConsentDefault } from '../../../features/webhooks/api.ts';
import { ErrorState } from '../../../parts/states.tsx';
import { useSettings } from '../useSettings.ts';

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
export function ConsentForm({ property, chosen }: { property: Property; chosen: ConsentDefault }) {
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
