import { Switch } from '../../parts/Switch.tsx';

interface RevokeTokensProps {
  /** Active API tokens of the person. */
  count: number;
  on: boolean;
  onSwitch: (on: boolean) => void;
}

/** Beside a new password: tokens keep working unless they are revoked, and who changes a password for a leak would not expect that. */
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
