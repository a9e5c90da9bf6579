import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../api/client.ts';
import { queries } from '../../api/queries.ts';
import type { Role } from '../../api/types.ts';
import { CodeField, cleanCode, wantsCode } from '../../features/session/CodeField.tsx';
import { NewPasswordField, PASSWORD_LENGTH } from '../../features/session/NewPasswordField.tsx';
import { PasswordField } from '../../features/session/PasswordField.tsx';
import { useEnter } from '../../features/session/useSession.ts';
import { Field } from '../../parts/Field.tsx';
import { FormError } from '../../parts/states.tsx';
import { ProviderButton } from './Provider.tsx';
import { linksApi, type OneTimeLink, SessionFrame } from './SessionFrame.tsx';

const MAX_NAME = 100;
const AS: Readonly<Record<Role, string>> = {
  owner: 'an owner, with full access including members',
  admin: 'an admin, who manages properties, keys and destinations',
  viewer: 'a viewer, with read-only access',
};

/** A new person chooses a name and a password; a person with an account signs in. */
export function InvitationForm({ token, link }: { token: string; link: OneTimeLink }) {
  const enter = useEnter();
  const options = useQuery(queries.signInOptions());
  const provider = options.data?.provider;
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [asksCode, setAsksCode] = useState(false);
  const { mutate, isPending, error, variables } = useMutation({
    mutationFn: linksApi.accept,
    onSuccess: (session) => enter(session),
    onError: (refused) => {
      if (wantsCode(refused)) setAsksCode(true);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate({
      token,
      password,
      ...(link.has_account ? {} : { name: name.trim() }),
      ...(asksCode ? { code: cleanCode(code) } : {}),
    });
  };
  const problem = error instanceof ApiError ? error : null;
  const isWrong = problem?.status === 401 && !wantsCode(problem);
  const isReady = link.has_account
    ? password !== '' && (!asksCode || cleanCode(code).length >= 6)
    : name.trim() !== '' && password.length >= PASSWORD_LENGTH.min;
  return (
    <SessionFrame
      title={`Join ${link.organization ?? 'Ghostlight'}`}
      tab="Invitation"
      line={link.role === null ? 'You are invited.' : `You are invited as ${AS[link.role]}.`}
    >
      {provider && (
        <div className="sign-in-provider">
          <ProviderButton name={provider.name} isPrimary={options.data?.passwords !== true} />
          <p className="quiet">
            {options.data?.passwords === true
              ? `Use your account at ${provider.name} with this email address, or choose a password.`
              : `Use your account at ${provider.name} with the address ${link.email ?? ''}.`}
          </p>
        </div>
      )}
      {options.data?.passwords !== false && (
        <form className="sign-in-form" onSubmit={submit}>
          {/* Read-only, for password managers: they store the password under it. */}
          <Field label="Email" type="email" autoComplete="username" readOnly value={link.email ?? ''} />
          {link.has_account ? (
            <PasswordField
              label="Password"
              autoComplete="current-password"
              autoFocus
              value={password}
              onText={setPassword}
              error={isWrong ? 'Wrong password.' : undefined}
              hint="You already have an account here: enter its password."
            />
          ) : (
            <>
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
              <NewPasswordField value={password} onText={setPassword} error={problem?.field('password')} />
            </>
          )}
          {asksCode && (
            <CodeField
              value={code}
              onText={setCode}
              error={wantsCode(error) && variables?.code !== undefined ? problem?.message : undefined}
            />
          )}
          {!isWrong && !wantsCode(error) && <FormError error={error} />}
          <button
            type="submit"
            className="button button-primary button-wide"
            disabled={isPending || !isReady}
          >
            {isPending ? 'One moment…' : link.has_account ? 'Join' : 'Create my account and join'}
          </button>
        </form>
      )}
    </SessionFrame>
  );
}
