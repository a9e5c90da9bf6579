import { type InputHTMLAttributes, type ReactNode, useState } from 'react';
import { Labelled } from '../../parts/Field.tsx';

interface PasswordFieldProps
  extends Pick<
    InputHTMLAttributes<HTMLInputElement>,
    'autoComplete' | 'autoFocus' | 'className' | 'maxLength'
  > {
  label: string;
  value: string;
  onText: (text: string) => void;
  hint?: ReactNode;
  error?: string | undefined;
}

/** A password or a token, which can be shown: mistakes of typing are seen before they are sent. */
export function PasswordField({
  label,
  value,
  onText,
  hint,
  error,
  className = '',
  ...input
}: PasswordFieldProps) {
  const [shown, setShown] = useState(false);
  return (
    <Labelled
      label={label}
      {...(hint === undefined ? {} : { hint })}
      problem={error === undefined ? undefined : { message: error, severity: 'error' }}
    >
      {(control) => (
        <div className={`input with-unit with-show ${className}`} data-invalid={control['aria-invalid']}>
          <input
            {...input}
            {...control}
            type={shown ? 'text' : 'password'}
            autoCapitalize="none"
            spellCheck={false}
            required
            value={value}
            onChange={(event) => onText(event.target.value)}
          />
          <button
            type="button"
            className="link-button"
            aria-pressed={shown}
            // Without the word of the label, by which the field itself is found.
            aria-label="Show what is typed"
            onClick={() => setShown(!shown)}
          >
            {shown ? 'Hide' : 'Show'}
          </button>
        </div>
      )}
    </Labelled>
  );
}
