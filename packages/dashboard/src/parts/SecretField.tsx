import { CopyButton } from './CopyButton.tsx';

interface SecretFieldProps {
  value: string;
  label: string;
  /** What is copied, for the accessible name: "the key". */
  what: string;
  rows?: number;
}

/** A text that is shown once: selected with one click, copied with another. */
export function SecretField({ value, label, what, rows = 2 }: SecretFieldProps) {
  return (
    <div className="secret">
      <textarea
        className="mono"
        aria-label={label}
        readOnly
        rows={rows}
        spellCheck={false}
        value={value}
        onFocus={(event) => event.currentTarget.select()}
      />
      <CopyButton text={value} what={what} labelled />
    </div>
  );
}
