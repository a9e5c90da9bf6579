import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { type FormEvent, useEffect, useState } from 'react';
import { ApiError, api } from '../api/client.ts';
import { Field } from '../parts/Field.tsx';
import { Logo } from '../parts/Logo.tsx';

export function SignInPage() {
  const { next } = useSearch({ from: '/sign-in' });
  const router = useRouter();
  const queryClient = useQueryClient();
  const [token, setToken] = useState('');
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.signIn(token.trim()),
    onSuccess: async () => {
      queryClient.clear();
      router.history.push(next ?? '/');
    },
  });
  useEffect(() => {
    document.title = 'Sign in · Ghostlight';
  }, []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  return (
    <main className="sign-in">
      <div className="sign-in-card">
        <Logo size={56} />
        <h1>Ghostlight</h1>
        <p className="sign-in-line">The AI crawlers on your site, seen.</p>
        <form onSubmit={submit}>
          <Field
            label="Admin token"
            type="password"
            className="mono"
            autoComplete="current-password"
            autoFocus
            required
            value={token}
            onChange={(event) => setToken(event.target.value)}
            error={error === null ? undefined : refusal(error)}
          />
          <button
            type="submit"
            className="button button-primary button-wide"
            disabled={isPending || token.trim() === ''}
          >
            {isPending ? 'Signing in…' : 'Sign in'}
          </button>
        </form>
        <p className="sign-in-help">
          The token was printed once, at the first start of the service. It is also kept in the file{' '}
          <code>admin-token</code> of the data directory (<code>./data</code> unless <code>DATA_DIR</code>{' '}
          says otherwise):
        </p>
        <code className="sign-in-command">cat data/admin-token</code>
        <p className="sign-in-help">
          If <code>ADMIN_TOKEN</code> is set, that is the token.
        </p>
      </div>
    </main>
  );
}

function refusal(error: Error): string {
  return error instanceof ApiError && error.status === 401
    ? 'This is not the admin token of this service.'
    : error.message;
}
