import { type ReactNode, useEffect, useState } from 'react';
import { copyText } from '../format/copy-text.ts';
import { counted } from '../format/names.ts';
import { useAnnounce } from './Announcer.tsx';
import { IconCheck, IconCopy } from './icons.tsx';

const SHOWN_MS = 1_800;

interface CopyButtonProps {
  text: string;
  /** What is copied, for the accessible name: "Copy the key". */
  what: string;
  /** Shows a word beside the icon. */
  labelled?: boolean;
  onCopied?: () => void;
}

export function CopyButton({ text, what, labelled = false, onCopied }: CopyButtonProps) {
  const announce = useAnnounce();
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => {
    const copied = await copyText(text);
    setState(copied ? 'copied' : 'failed');
    announce(copied ? `Copied ${what}` : `Could not copy ${what}; select it and copy by hand`);
    if (copied) onCopied?.();
  };
  const word = state === 'copied' ? 'Copied' : state === 'failed' ? 'Copy failed' : 'Copy';
  return (
    <button
      type="button"
      className={labelled ? 'button button-small copy' : 'icon-button copy'}
      data-state={state}
      aria-label={`Copy ${what}`}
      title={labelled ? undefined : word}
      onClick={() => void copy()}
    >
      {state === 'copied' ? <IconCheck /> : <IconCopy />}
      {labelled && <span>{word}</span>}
    </button>
  );
}

export interface CodeBlockProps {
  title: ReactNode;
  code: string;
  /** What is copied, for the accessible name. */
  what: string;
  /** Wraps long lines on the screen only, not in the copied text. */
  wrap?: boolean;
  /** A long one is folded: it is there to be copied. */
  folds?: boolean;
  /** Lines that are folded, `from` ≤ index < `to`: nothing in them has to be read. */
  hidden?: { readonly from: number; readonly to: number };
}

/** What folds is folded from here on. */
const SHOWN_LINES = 40;

/** Text to copy, which scrolls sideways if needed. */
export function CodeBlock({ title, code, what, wrap = false, folds = false, hidden }: CodeBlockProps) {
  const lines = code.split('\n').length;
  return (
    <figure className="code" data-wrap={wrap}>
      <figcaption>
        <span>{title}</span>
        <CopyButton text={code} what={what} labelled />
      </figcaption>
      {folds && lines > SHOWN_LINES ? (
        <details className="code-fold">
          <summary className="disclosure">Show all {lines.toLocaleString('en')} lines</summary>
          <Code code={code} />
        </details>
      ) : hidden !== undefined ? (
        <Excerpt lines={code.trimEnd().split('\n')} {...hidden} />
      ) : (
        <Code code={code} />
      )}
    </figure>
  );
}

/** The lines before and after those that are folded. */
const Excerpt = ({ lines, from, to }: { lines: readonly string[]; from: number; to: number }) => (
  <div className="code-excerpt">
    <Code code={lines.slice(0, from).join('\n')} />
    <details className="code-fold">
      <summary className="disclosure">Show {counted(to - from, 'more line')}</summary>
      <Code code={lines.slice(from, to).join('\n')} />
    </details>
    <Code code={lines.slice(to).join('\n')} />
  </div>
);

const Code = ({ code }: { code: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
  <pre tabIndex={0}>
    <code>{code}</code>
  </pre>
);
