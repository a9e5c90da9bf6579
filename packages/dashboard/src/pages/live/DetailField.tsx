import { visible } from '../../format/visible.ts';
import { CopyButton } from '../../parts/CopyButton.tsx';

const MONO = new Set(['Host', 'Path', 'User agent', 'Hit ID', 'Time (UTC)', 'Method']);

/** @param value what is copied; @param text what is shown. An empty value has no row. */
export function DetailField({ label, value, text }: { label: string; value: string; text: string }) {
  if (value === '') return null;
  return (
    <div className="drawer-field">
      <dt>{label}</dt>
      <dd className={MONO.has(label) ? 'mono break' : 'break'}>{visible(text)}</dd>
      <dd className="drawer-copy">
        <CopyButton text={value} what={label} />
      </dd>
    </div>
  );
}
