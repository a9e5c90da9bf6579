import type { LogSource } from '../../api/types.ts';
import { CodeBlock } from '../../parts/CopyButton.tsx';
import { IconWarning } from '../../parts/icons.tsx';
import { Step } from '../../parts/Section.tsx';
import { fill } from './fill.ts';
import { curlHit, isOutOfReach, type SnippetValues } from './snippets.ts';

/** The set-up steps of a source, as the service describes them. */
export function SourcePanel({ source, values }: { source: LogSource; values: SnippetValues }) {
  return source.setup.steps.map((step, index) => (
    <Step key={step.title} number={index + 2} title={step.title}>
      {index === 0 && <OutOfReach address={values.baseUrl} isElsewhere={source.group === 'edge'} />}
      {step.text.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
      {step.snippets.map(({ title, template }) => (
        <CodeBlock key={title} wrap title={title} what={title.toLowerCase()} code={fill(template, values)} />
      ))}
    </Step>
  ));
}

/**
 * A warning before copying a configuration with an address that is not public.
 * @param isElsewhere whether the sender always runs in another network, as a CDN does; a server's may run on this machine
 */
export function OutOfReach({ address, isElsewhere = true }: { address: string; isElsewhere?: boolean }) {
  if (!isOutOfReach(address)) return null;
  if (!isElsewhere)
    return (
      <p className="notice" role="note">
        Only senders on this machine reach {address}. For a sender elsewhere, set <code>BASE_URL</code> to a
        public https address of this service first.
      </p>
    );
  return (
    <div className="notice notice-bad" role="note">
      <IconWarning />
      <p>
        <strong>{address} can’t be reached from the internet.</strong> The sender runs in another network. Set{' '}
        <code>BASE_URL</code> to a public https address of this service first; with the configuration below,
        no visits would arrive.
      </p>
    </div>
  );
}

export function CurlPanel({ values }: { values: SnippetValues }) {
  return (
    <Step number={2} title="Post one GPTBot visit">
      <CodeBlock title="Shell" what="the curl command" code={curlHit(values)} />
      <p>
        The answer is <code>204</code>. The visit then appears in Live, marked{' '}
        <strong className="text-bad">✕ Spoofed</strong>: it calls itself GPTBot but doesn’t come from OpenAI’s
        addresses. Until this installation has read OpenAI’s current address list, the mark is{' '}
        <strong>? Unknown</strong>: an outdated list never marks a visit as spoofed.
      </p>
    </Step>
  );
}
