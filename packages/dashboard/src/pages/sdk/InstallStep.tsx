import { CodeBlock } from '../../parts/CopyButton.tsx';
import { Step } from '../../parts/Section.tsx';
import { Segments } from '../../parts/Switch.tsx';
import type { ConsentWay, Form, SdkSearch } from './search.ts';
import { consentSnippet, INSTALL_COMMAND, installSnippet, loaderLines, type SdkValues } from './snippets.ts';

interface InstallStepProps {
  form: Form;
  consent: ConsentWay;
  values: SdkValues;
  onChoose: (change: SdkSearch) => void;
}

export function InstallStep({ form, consent, values, onChoose }: InstallStepProps) {
  const code = installSnippet(form, consent, values);
  return (
    <Step number={1} title="Add the script to every page">
      <Segments
        legend="Installation"
        value={form}
        options={[
          ['script', 'Script tag'],
          ['module', 'npm package'],
        ]}
        onChoose={(chosen) => onChoose({ form: chosen })}
      />
      {form === 'script' ? (
        <p>
          Add it to the <code>&lt;head&gt;</code> of every page. It doesn’t block loading.
        </p>
      ) : (
        <>
          <p>For sites with a build step: import it where your application starts.</p>
          <CodeBlock wrap title="Shell" what="the install command" code={INSTALL_COMMAND} />
        </>
      )}
      <CodeBlock
        wrap
        title={form === 'script' ? 'HTML' : 'JavaScript'}
        what="the snippet"
        code={code}
        {...(form === 'script' ? { hidden: loaderLines(code) } : {})}
      />
      <p>Page views are sent automatically, including in single-page apps.</p>
    </Step>
  );
}

const WAYS: readonly (readonly [ConsentWay, string, string])[] = [
  ['asked', 'Your own banner', 'Nothing is stored or sent until the visitor consents in it.'],
  ['tool', 'A consent platform', 'It reports consent and its changes.'],
  ['granted', 'No banner', 'No consent is required, or it is given before the first page.'],
];

interface ConsentStepProps {
  form: Form;
  consent: ConsentWay;
  onChoose: (change: SdkSearch) => void;
}

export function ConsentStep({ form, consent, onChoose }: ConsentStepProps) {
  const code = consentSnippet(form, consent);
  return (
    <Step number={2} title="Connect consent">
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
        <p>The snippet above includes the consent. Nothing else is needed.</p>
      ) : (
        <CodeBlock wrap title="JavaScript" what="the consent code" code={code} />
      )}
      <p>
        <strong>analytics</strong> allows storing the visitor ID and sending events;{' '}
        <strong>advertising</strong> allows reading the ad platforms’ cookies and sending personal data.
        Withdrawing consent deletes stored data.
      </p>
    </Step>
  );
}
