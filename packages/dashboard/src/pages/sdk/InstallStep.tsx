import { CodeBlock } from '../../parts/CopyButton.tsx';
import { Step } from '../../parts/Section.tsx';
import { Segments } from '../../parts/Switch.tsx';
import type { ConsentWay, Form, SdkSearch } from './search.ts';
import { consentSnippet, INSTALL_COMMAND, installSnippet, type SdkValues } from './snippets.ts';

interface InstallStepProps {
  form: Form;
  consent: ConsentWay;
  values: SdkValues;
  onChoose: (change: SdkSearch) => void;
}

export function InstallStep({ form, consent, values, onChoose }: InstallStepProps) {
  return (
    <Step number={1} title="Put it on every page">
      <Segments
        legend="How the SDK is brought in"
        value={form}
        options={[
          ['script', 'Script tag'],
          ['module', 'npm package'],
        ]}
        onChoose={(chosen) => onChoose({ form: chosen })}
      />
      {form === 'script' ? (
        <p>
          Into the <code>&lt;head&gt;</code> of all pages, landing pages above all. It loads without holding
          the page up, and keeps the calls that are made meanwhile.
        </p>
      ) : (
        <>
          <p>For sites that are built: import it where your application starts.</p>
          <CodeBlock title="Shell" what="the install command" code={INSTALL_COMMAND} />
        </>
      )}
      <CodeBlock
        title={form === 'script' ? 'HTML' : 'JavaScript'}
        what="the snippet"
        code={installSnippet(form, consent, values)}
      />
      <p>
        Page views are sent by themselves, those of a single-page application too. Campaign tags and click ids
        are kept from the landing; e-mail addresses in URLs are masked in the browser.
      </p>
    </Step>
  );
}

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
