import type { LogSource } from '../../api/types.ts';
import { CodeBlock } from '../../parts/CopyButton.tsx';
import { Step } from '../../parts/Section.tsx';
import { fill } from './fill.ts';
import { OutOfReach } from './OutOfReach.tsx';
import type { SnippetValues } from './snippets.ts';

/** The set-up of a source, as the source itself says it. */
export function SourcePanel({ source, values }: { source: LogSource; values: SnippetValues }) {
  return source.setup.steps.map((step, index) => (
    <Step key={step.title} number={index + 2} title={step.title}>
      {index === 0 && <OutOfReach address={values.baseUrl} />}
      {step.text.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
      {step.snippets.map(({ title, template }) => (
        <CodeBlock key={title} wrap title={title} what={title.toLowerCase()} code={fill(template, values)} />
      ))}
    </Step>
  ));
}
