import { useState } from 'react';
import { ApiError } from '../../api/client.ts';
import { Field } from '../../parts/Field.tsx';

interface CodeFieldProps {
  value: string;
  onText: (text: string) => void;
  error?: string | undefined;
}

/** A second factor: six digits of an authenticator app, or a recovery code. */
export function CodeField({ value, onText, error }: CodeFieldProps) {
  const [recovery, setRecovery] = useState(false);
  const turn = () => {
    onText('');
    setRecovery(!recovery);
  };
  return (
    <div className="code-field">
      <Field
        key={String(recovery)}
        label={recovery ? 'Recovery code' : 'Authenticator code'}
        className="mono"
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        required
        inputMode={recovery ? 'text' : 'numeric'}
        placeholder={recovery ? 'xxxxx-xxxxx' : '123456'}
        value={value}
        onChange={(event) => onText(event.target.value)}
        error={error}
        {...(recovery
          ? {
              hint: (
                <>
                  One of the codes you stored; each works once. Lost them too? The operator of this service
                  can turn two-factor authentication off:{' '}
                  <code>npx ghostlight people reset EMAIL --second-factor-off</code>
                </>
              ),
            }
          : {})}
      />
      <button type="button" className="link-button" onClick={turn}>
        {recovery ? 'Use your authenticator' : 'Use a recovery code'}
      </button>
    </div>
  );
}

/** Authenticators show `123 456`, so spaces are accepted. */
export function cleanCode(text: string): string {
  return text.replaceAll(/\s/g, '');
}

/** Whether the service asks for a second factor: it was missing or wrong. */
export function wantsCode(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'second_factor_required';
}
