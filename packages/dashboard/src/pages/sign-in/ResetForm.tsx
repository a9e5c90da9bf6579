import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../api/client.ts';
import { NewPasswordField, PASSWORD_LENGTH, RevokeTokens } from '../../features/session/NewPasswordField.tsx';
import { Field } from '../../parts/Field.tsx';
import { FormError } from '../../parts/states.tsx';
import { linksApi, type OneTimeLink, SessionFrame } from './SessionFrame.tsx';

export function ResetForm({ token, link }: { token: string; link: OneTimeLink }) {
  const [password, setPassword] = useState('');
  const [revokes, setRevokes] = useState(false);
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => linksApi.completeReset({ token, password, revoke_api_tokens: revokes }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  if (isSuccess) {
    return (
      <SessionFrame
        title="Password changed"
        line="You have been signed out everywhere. Sign in with the new password."
      >
        <div className="sign-in-form">
          <Link to="/sign-in" className="button button-primary button-wide">
            Sign in
          </Link>
        </div>
      </SessionFrame>
    );
  }
  return (
    <SessionFrame title="Choose a new password" line="Two-factor authentication stays as it is.">
      <form className="sign-in-form" onSubmit={submit}>
        <Field label="Email" type="email" autoComplete="username" readOnly value={link.email ?? ''} />
        <NewPasswordField
          label="New password"
          value={password}
          onText={setPassword}
          error={error instanceof ApiError ? error.field('password') : undefined}
        />
        <RevokeTokens count={link.api_tokens} on={revokes} onSwitch={setRevokes} />
        <FormError error={error} />
        <button
          type="submit"
          className="button button-primary button-wide"
          disabled={isPending || password.length < PASSWORD_LENGTH.min}
        >
          {isPending ? 'One moment…' : 'Change password'}
        </button>
      </form>
    </SessionFrame>
  );
}
