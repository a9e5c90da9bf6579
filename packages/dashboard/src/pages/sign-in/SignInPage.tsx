import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { queries } from '../../api/queries.ts';
import { ErrorState, Skeleton } from '../../parts/states.tsx';
import { PasswordSignIn } from './PasswordSignIn.tsx';
import { SessionFrame } from './SessionFrame.tsx';
import { TokenSignIn } from './TokenSignIn.tsx';

/** With one's own account, or with the admin token, which comes first until somebody has an account. */
export function SignInPage() {
  const { next } = useSearch({ from: '/sign-in' });
  const options = useQuery(queries.signInOptions());
  const [chosen, setChosen] = useState<'password' | 'token' | null>(null);
  const people = options.data?.people;
  const way = chosen ?? (people === undefined ? null : people ? 'password' : 'token');
  return (
    <SessionFrame title="Ghostlight" tab="Sign in" line="The AI crawlers on your site, seen.">
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
      {way === 'password' && <PasswordSignIn next={next} onOtherWay={() => setChosen('token')} />}
      {way === 'token' && (
        <TokenSignIn next={next} nobodyYet={people === false} onOtherWay={() => setChosen('password')} />
      )}
    </SessionFrame>
  );
}
