import { useEffect, useState } from 'react';
import { useAnnounce } from './Announcer.tsx';
import { copyText } from './clipboard.ts';
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
  const word = state === 'copied' ? 'Copied' : state === 'failed' ? 'Select it by hand' : 'Copy';
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
