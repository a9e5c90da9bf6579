import { useId } from 'react';
import { PasswordField } from './PasswordField.tsx';

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
  const missing = PASSWORD_LENGTH.min - value.length;
  return (
    <PasswordField
      label={label}
      autoComplete="new-password"
      maxLength={PASSWORD_LENGTH.max}
      value={value}
      onText={onText}
      hint={
        value !== '' && missing > 0
          ? `${missing} more ${missing === 1 ? 'character' : 'characters'}.`
          : `At least ${PASSWORD_LENGTH.min} characters. A short phrase is easier to remember than symbols.`
      }
      error={error}
    />
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
  const id = useId();
  if (count === 0) return null;
  return (
    <div className="check">
      <input
        id={id}
        type="checkbox"
        checked={on}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onSwitch(event.target.checked)}
      />
      <div>
        <label htmlFor={id}>
          {count === 1 ? 'Also revoke your API token' : `Also revoke your ${count} API tokens`}
        </label>
        <p id={`${id}-hint`} className="field-hint">
          API tokens keep working after a password change. Revoke them if they may have leaked.
        </p>
      </div>
    </div>
  );
}
