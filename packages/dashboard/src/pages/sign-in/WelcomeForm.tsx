import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../api/client.ts';
import { NewPasswordField, PASSWORD_LENGTH } from '../../features/session/NewPasswordField.tsx';
import { useEnter } from '../../features/session/useSession.ts';
import { Field } from '../../parts/Field.tsx';
import { FormError } from '../../parts/states.tsx';
import { linksApi, SessionFrame } from './SessionFrame.tsx';

const MAX_NAME = 100;

/** Creates the first account of an installation, its owner. */
export function WelcomeForm({ token }: { token: string }) {
  const enter = useEnter();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => linksApi.welcome({ token, name: name.trim(), email: email.trim(), password }),
    onSuccess: (session) => enter(session),
  });
  const problem = error instanceof ApiError ? error : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  const isReady = name.trim() !== '' && email.trim() !== '' && password.length >= PASSWORD_LENGTH.min;
  return (
    <SessionFrame title="Welcome" tab="Welcome" line="Create the first account. It will be the owner.">
      <form className="sign-in-form" onSubmit={submit}>
        <Field
          label="Your name"
          autoComplete="name"
          autoFocus
          required
          maxLength={MAX_NAME}
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={problem?.field('name')}
        />
        <Field
          label="Email"
          type="email"
          autoComplete="username"
          required
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          error={problem?.field('email')}
          hint="You’ll use this to sign in."
        />
        <NewPasswordField value={password} onText={setPassword} error={problem?.field('password')} />
        <FormError error={error} />
        <button type="submit" className="button button-primary button-wide" disabled={isPending || !isReady}>
          {isPending ? 'One moment…' : 'Create my account'}
        </button>
      </form>
      <p className="sign-in-help">
        Others join by invitation. The admin token keeps working, for scripts and emergencies.
      </p>
    </SessionFrame>
  );
}
