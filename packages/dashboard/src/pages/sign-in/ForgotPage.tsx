import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { queries } from '../../api/queries.ts';
import { CodeBlock } from '../../parts/CopyButton.tsx';
import { Field } from '../../parts/Field.tsx';
import { ErrorState, FormError, Skeleton } from '../../parts/states.tsx';
import { linksApi, SessionFrame } from './SessionFrame.tsx';

export function ForgotPage() {
  const { data, error, refetch } = useQuery(queries.signInOptions());
  return (
    <SessionFrame
      title="Forgot your password?"
      tab="Forgotten password"
      line={
        data?.mail === false ? 'Ask the operator of this service.' : 'We’ll email you a link to reset it.'
      }
    >
      {data === undefined && (
        <div className="sign-in-form">
          {error === null ? (
            <Skeleton lines={3} />
          ) : (
            <ErrorState error={error} onRetry={() => void refetch()} />
          )}
        </div>
      )}
      {data?.mail === true && <ByMail />}
      {data?.mail === false && <ByCommand />}
      <Link to="/sign-in" className="quiet-link">
        Back to sign-in
      </Link>
    </SessionFrame>
  );
}

function ByMail() {
  const [email, setEmail] = useState('');
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => linksApi.requestReset(email.trim()),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  // The same text for any address, so that it does not reveal who has an account.
  if (isSuccess) {
    return (
      <p className="sign-in-first sign-in-form" role="status">
        If <strong className="break">{email.trim()}</strong> has an account here, we have sent a link. It
        works once, for one hour.
      </p>
    );
  }
  return (
    <form className="sign-in-form" onSubmit={submit}>
      <Field
        label="Email"
        type="email"
        autoComplete="username"
        autoFocus
        required
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <FormError error={error} />
      <button
        type="submit"
        className="button button-primary button-wide"
        disabled={isPending || email.trim() === ''}
      >
        {isPending ? 'One moment…' : 'Email me a link'}
      </button>
    </form>
  );
}

function ByCommand() {
  return (
    <div className="sign-in-form">
      <p className="sign-in-first">
        Email is not configured, so no link can be sent. On the server, this command prints one. It works
        once, for one hour:
      </p>
      <CodeBlock title="Command" code="npx ghostlight people reset YOUR-EMAIL" what="the command" wrap />
    </div>
  );
}
