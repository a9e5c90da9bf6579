import { useState } from 'react';
import { Labelled } from '../../parts/Field.tsx';
import { Switch } from '../../parts/Switch.tsx';

/** The limits of the service, which checks again. */
export const PASSWORD_LENGTH = { min: 12, max: 128 } as const;

interface NewPasswordFieldProps {
  label?: string;
  value: string;
  onText: (text: string) => void;
  error?: string | undefined;
}

/** One field that can be shown, instead of two that must match. */
export function NewPasswordField({ label = 'Password', value, onText, error }: NewPasswordFieldProps) {
  const [shown, setShown] = useState(false);
  const missing = PASSWORD_LENGTH.min - value.length;
  return (
    <Labelled
      label={label}
      note={
        <button
          type="button"
          className="link-button"
          aria-pressed={shown}
          aria-label="Show the password"
          onClick={() => setShown(!shown)}
        >
          {shown ? 'Hide' : 'Show'}
        </button>
      }
      hint={
        value !== '' && missing > 0
          ? `${missing} more ${missing === 1 ? 'character' : 'characters'}.`
          : `At least ${PASSWORD_LENGTH.min} characters. A short phrase is easier to remember than symbols.`
      }
      problem={error === undefined ? undefined : { message: error, severity: 'error' }}
    >
      {(control) => (
        <input
          {...control}
          className="input"
          type={shown ? 'text' : 'password'}
          autoComplete="new-password"
          autoCapitalize="none"
          spellCheck={false}
          required
          maxLength={PASSWORD_LENGTH.max}
          value={value}
          onChange={(event) => onText(event.target.value)}
        />
      )}
    </Labelled>
  );
}

interface RevokeTokensProps {
  /** Active API tokens of the person. */
  count: number;
  on: boolean;
  onSwitch: (on: boolean) => void;
}

/** Beside a new password: API tokens survive a password change, which is unexpected after a leak. */
export function RevokeTokens({ count, on, onSwitch }: RevokeTokensProps) {
  if (count === 0) return null;
  return (
    <Switch
      label={count === 1 ? 'Also revoke your API token' : `Also revoke your ${count} API tokens`}
      hint="API tokens keep working after a password change. Revoke them if they may have leaked."
      on={on}
      onSwitch={onSwitch}
    />
  );
}
