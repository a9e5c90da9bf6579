import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { queries } from '../../api/queries.ts';
import { PasswordField } from '../../features/session/PasswordField.tsx';
import { ErrorState, Skeleton } from '../../parts/states.tsx';
import { PasswordSignIn } from './PasswordSignIn.tsx';
import { ProviderButton, ProviderNotice } from './Provider.tsx';
import { SessionFrame } from './SessionFrame.tsx';
import { isWrong, SignInError, useSignIn } from './useSignIn.tsx';

/** Sign-in with an account or with the admin token, which is the default until the first account exists. */
export function SignInPage() {
  const { next, provider: reason } = useSearch({ from: '/sign-in' });
  const options = useQuery(queries.signInOptions());
  const [chosen, setChosen] = useState<'password' | 'token' | 'provider' | null>(null);
  const { people, passwords, provider } = options.data ?? {};
  const first = people === true && passwords === true ? 'password' : 'token';
  const way = chosen ?? (people === undefined ? null : provider && !passwords ? 'provider' : first);
  return (
    <SessionFrame title="Ghostlight" tab="Sign in" line="See the AI crawlers on your site.">
      {way === null && options.error === null && (
        <div className="sign-in-form">
          <Skeleton lines={4} />
        </div>
      )}
      {way === null && options.error !== null && (
        <div className="sign-in-form">
          <ErrorState error={options.error} onRetry={() => void options.refetch()} />
        </div>
      )}
      {provider && reason !== undefined && <ProviderNotice reason={reason} name={provider.name} />}
      {provider && way !== 'provider' && (
        <div className="sign-in-provider">
          <ProviderButton name={provider.name} next={next} reason={reason} />
          <p className="sign-in-or">or</p>
        </div>
      )}
      {provider && way === 'provider' && (
        <div className="sign-in-form">
          <ProviderButton name={provider.name} next={next} reason={reason} isPrimary />
          <button
            type="button"
            className="button button-plain button-wide"
            onClick={() => setChosen('token')}
          >
            Use the admin token
          </button>
        </div>
      )}
      {way === 'password' && <PasswordSignIn next={next} onOtherWay={() => setChosen('token')} />}
      {way === 'token' && (
        <TokenSignIn
          next={next}
          hasNoAccounts={people === false && passwords === true}
          onOtherWay={() => setChosen(passwords === true ? 'password' : null)}
        />
      )}
    </SessionFrame>
  );
}

interface TokenSignInProps {
  next: string | undefined;
  hasNoAccounts: boolean;
  onOtherWay: () => void;
}

function TokenSignIn({ next, hasNoAccounts, onOtherWay }: TokenSignInProps) {
  const [token, setToken] = useState('');
  const { mutate, isPending, error } = useSignIn(next);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate({ token: token.trim() });
  };
  return (
    <>
      <form className="sign-in-form" onSubmit={submit}>
        {hasNoAccounts && (
          <p className="sign-in-first">
            There are no accounts yet. <strong>Open the link that the first start printed</strong> to become
            the owner. To print another one: <code>npx ghostlight people welcome</code>
          </p>
        )}
        <PasswordField
          label="Admin token"
          className="mono"
          autoComplete="current-password"
          autoFocus
          value={token}
          onText={setToken}
          error={error !== null && isWrong(error) ? 'Wrong admin token.' : undefined}
        />
        <SignInError error={error} />
        <button
          type="submit"
          className="button button-primary button-wide"
          disabled={isPending || token.trim() === ''}
        >
          {isPending ? 'Signing in…' : 'Sign in'}
        </button>
        {!hasNoAccounts && (
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
