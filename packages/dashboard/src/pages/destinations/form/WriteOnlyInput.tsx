import { Labelled, type Said } from '../../../parts/Field.tsx';

interface WriteOnlyInputProps {
  label: string;
  value: string;
  /** As the service shows it, shortened: sent back, it stays. */
  stored: string;
  onText: (text: string) => void;
  max: number | undefined;
  placeholder: string;
  hint?: string;
  problem: Said | undefined;
}

/** An address that may hold a key: a part of it is shown, and it is replaced as a whole. */
export function WriteOnlyInput({
  label,
  value,
  stored,
  onText,
  max,
  placeholder,
  hint,
  problem,
}: WriteOnlyInputProps) {
  const isKept = value === stored;
  return (
    <Labelled label={label} {...(hint === undefined ? {} : { hint })} problem={problem}>
      {(control) => (
        <div className="secret-input">
          <input
            {...control}
            className="input mono"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            readOnly={isKept}
            maxLength={max}
            placeholder={placeholder}
            value={value}
            onChange={(event) => onText(event.target.value)}
          />
          <button
            type="button"
            className="button button-small"
            aria-label={isKept ? `Replace ${label}` : `Keep the ${label} that is set`}
            onClick={() => onText(isKept ? '' : stored)}
          >
            {isKept ? 'Replace' : 'Keep'}
          </button>
        </div>
      )}
    </Labelled>
  );
}
