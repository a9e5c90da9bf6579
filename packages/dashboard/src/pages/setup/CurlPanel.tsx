import { CodeBlock } from '../../parts/CopyButton.tsx';
import { Step } from '../../parts/Section.tsx';
import { curlHit, type SnippetValues } from './snippets.ts';

export function CurlPanel({ values }: { values: SnippetValues }) {
  return (
    <Step number={2} title="Post one GPTBot visit">
      <CodeBlock title="Shell" what="the curl command" code={curlHit(values)} />
      <p>
        The answer is <code>204</code>. The visit then appears in Live, marked{' '}
        <strong className="text-bad">✕ Spoofed</strong>: it calls itself GPTBot but doesn’t come from OpenAI’s
        addresses. Until this installation has read OpenAI’s current address list, the mark is{' '}
        <strong>? Unknown</strong>: an old list accuses no visitor.
      </p>
    </Step>
  );
}
