import type { LogSource } from '../../api/types.ts';
import { OutOfReach } from '../../features/property/OutOfReach.tsx';
import { Snippet } from '../../features/property/Snippet.tsx';
import { Step } from '../../parts/Section.tsx';
import { fill } from './fill.ts';
import { curlHit, type SnippetValues } from './snippets.ts';

/** A server's sender may run on this machine, which reaches the address. */
const FROM_ELSEWHERE = 'you send from another machine';
const beforeOf = ({ group }: LogSource) => (group === 'edge' ? {} : { before: FROM_ELSEWHERE });

/** The setup steps of a source, as the service describes them. */
export function SourcePanel({ source, values }: { source: LogSource; values: SnippetValues }) {
  return source.setup.steps.map((step, index) => (
    <Step key={step.title} number={index + 2} title={step.title}>
      {index === 0 && <OutOfReach address={values.baseUrl} {...beforeOf(source)} />}
      {step.text.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
      {step.snippets.map(({ title, template }) => (
        <Snippet key={title} wrap title={title} what={title.toLowerCase()} code={fill(template, values)} />
      ))}
    </Step>
  ));
}

export function CurlPanel({ values }: { values: SnippetValues }) {
  return (
    <Step number={2} title="Send a test visit">
      <OutOfReach address={values.baseUrl} before={FROM_ELSEWHERE} />
      <Snippet title="Shell" what="the curl command" code={curlHit(values)} />
      <p>
        The answer is <code>204</code>. The visit then appears in Live, marked <strong>Test visit</strong>,
        because the command says <code>"test": true</code>. Reports, alerts and exports of reports leave it
        out.
      </p>
    </Step>
  );
}
