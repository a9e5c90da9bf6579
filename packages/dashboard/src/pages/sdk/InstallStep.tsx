import { CodeBlock } from '../../parts/CopyButton.tsx';
import { Step } from '../../parts/Section.tsx';
import { Segments } from '../../parts/Switch.tsx';
import type { ConsentWay, Form, SdkSearch } from './search.ts';
import { INSTALL_COMMAND, installSnippet, type SdkValues } from './snippets.ts';

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
