import { CodeBlock } from '../../parts/CopyButton.tsx';
import { Step } from '../../parts/Section.tsx';
import type { ConsentWay, Form, SdkSearch } from './search.ts';
import { consentSnippet } from './snippets.ts';

const WAYS: readonly (readonly [ConsentWay, string, string])[] = [
  ['asked', 'Ask first', 'Nothing is stored or sent until your banner’s button is pressed.'],
  ['tool', 'Consent tool', 'Your consent platform tells what was agreed to, and when it changes.'],
  ['granted', 'No question', 'Where no consent is needed, or it is there before the first page.'],
];

interface ConsentStepProps {
  form: Form;
  consent: ConsentWay;
  onChoose: (change: SdkSearch) => void;
}

export function ConsentStep({ form, consent, onChoose }: ConsentStepProps) {
  const code = consentSnippet(form, consent);
  return (
    <Step number={2} title="Say when it may store something">
      <fieldset className="ways sdk-ways">
        <legend className="visually-hidden">Consent</legend>
        {WAYS.map(([way, title, about]) => (
          <label key={way} className="way" data-chosen={way === consent}>
            <input
              type="radio"
              name="consent"
              checked={way === consent}
              onChange={() => onChoose({ consent: way })}
            />
            <span>
              <strong>{title}</strong>
              <span className="way-about">{about}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {code === null ? (
        <p>The snippet above carries the consent. Nothing more is needed.</p>
      ) : (
        <CodeBlock title="JavaScript" what="the consent code" code={code} />
      )}
      <p>
        <strong>analytics</strong> lets it keep the visitor’s id and send events; <strong>advertising</strong>{' '}
        lets it read the ad platforms’ cookies and send personal data. Withdrawing deletes what was stored.
      </p>
    </Step>
  );
}
