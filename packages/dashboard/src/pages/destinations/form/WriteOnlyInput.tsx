import { type ReactNode, useState } from 'react';
import { CopyButton } from '../../../parts/CopyButton.tsx';
import { Labelled, type Said } from '../../../parts/Field.tsx';
import { TextArea } from '../../../parts/TextInput.tsx';
import { newSigningSecret } from '../model/values.ts';

/** Attributes of an input for a secret. Password managers would offer the password of this dashboard, which never belongs here. */
const SECRET_TEXT = {
  className: 'input mono',
  autoComplete: 'off',
  autoCapitalize: 'none',
  spellCheck: false,
  'data-1p-ignore': true,
  'data-lpignore': 'true',
} as const;

interface WriteOnlyInputProps {
  label: string;
  value: string;
  /** The shortened value of the service: sending it back keeps the stored one. */
  stored: string;
  onText: (text: string) => void;
  max: number | undefined;
  placeholder: string;
  hint?: string;
  problem: Said | undefined;
}

/** A URL that may contain a key: shown shortened, replaced as a whole. */
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
            {...SECRET_TEXT}
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

interface SecretInputProps {
  label: string;
  value: string;
  onText: (text: string) => void;
  /** A key file with several lines, which a password field can't hold. */
  long: boolean;
  max: number;
  /** The page can generate one. */
  generated: boolean;
  placeholder: string;
  note?: ReactNode;
  hint?: ReactNode;
  problem?: Said | undefined;
}

/** An input for a secret, which can't be read again. */
export function SecretInput({
  label,
  value,
  onText,
  long,
  max,
  generated,
  placeholder,
  note,
  hint,
  problem,
}: SecretInputProps) {
  const [shown, setShown] = useState(false);
  const said = {
    label,
    ...(note === undefined ? {} : { note }),
    ...(hint === undefined ? {} : { hint }),
    problem,
  };
  if (long)
    return (
      <TextArea
        {...said}
        code
        rows={5}
        value={value}
        maxLength={max}
        placeholder={placeholder}
        onText={onText}
      />
    );
  return (
    <Labelled {...said}>
      {(control) => (
        <div className="secret-input">
          <span className="secret-field">
            <input
              {...control}
              {...SECRET_TEXT}
              type={shown ? 'text' : 'password'}
              maxLength={max}
              placeholder={placeholder}
              value={value}
              onChange={(event) => onText(event.target.value)}
            />
            <button
              type="button"
              className="button button-small button-plain"
              aria-pressed={shown}
              aria-label={`Show ${label}`}
              onClick={() => setShown(!shown)}
            >
              {shown ? 'Hide' : 'Show'}
            </button>
          </span>
          {generated && value === '' && (
            <button
              type="button"
              className="button button-small"
              onClick={() => {
                onText(newSigningSecret());
                setShown(true);
              }}
            >
              Generate
            </button>
          )}
          {generated && value !== '' && <CopyButton text={value} what={`the ${label.toLowerCase()}`} />}
        </div>
      )}
    </Labelled>
  );
}
