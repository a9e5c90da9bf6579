import { type FormEvent, useState } from 'react';
import { Field } from '../../parts/Field.tsx';
import { SignInError } from './SignInError.tsx';
import { isWrong } from './sign-in-errors.ts';
import { useSignIn } from './useSignIn.ts';

interface TokenSignInProps {
  next: string | undefined;
  nobodyYet: boolean;
  onOtherWay: () => void;
}

export function TokenSignIn({ next, nobodyYet, onOtherWay }: TokenSignInProps) {
  const [token, setToken] = useState('');
  const { mutate, isPending, error } = useSignIn(next);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate({ token: token.trim() });
  };
  return (
    <>
      <form className="sign-in-form" onSubmit={submit}>
        {nobodyYet && (
          <p className="sign-in-first">
            Nobody has an account here yet. <strong>Open the link that the first start printed</strong>: it
            makes you the owner. Another one: <code>npx ghostlight people welcome</code>
          </p>
        )}
        <Field
          label="Admin token"
          type="password"
          className="mono"
          autoComplete="current-password"
          autoFocus
          required
          value={token}
          onChange={(event) => setToken(event.target.value)}
          error={
            error !== null && isWrong(error) ? 'This is not the admin token of this service.' : undefined
          }
        />
        <SignInError error={error} />
        <button
          type="submit"
          className="button button-primary button-wide"
          disabled={isPending || token.trim() === ''}
        >
          {isPending ? 'Signing in…' : 'Sign in'}
        </button>
        {!nobodyYet && (
          <button type="button" className="button button-plain button-wide" onClick={onOtherWay}>
            Use your account instead
          </button>
        )}
      </form>
      <p className="sign-in-help">
        The token was printed once, at the first start of the service. It is also kept in the file{' '}
        <code>admin-token</code> of the data directory (<code>./data</code> unless <code>DATA_DIR</code> says
        otherwise):
      </p>
      <code className="sign-in-command">cat data/admin-token</code>
      <p className="sign-in-help">
        If <code>ADMIN_TOKEN</code> is set, that is the token.
      </p>
    </>
  );
}
