import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { CodeField, cleanCode, wantsCode } from '../../features/session/CodeField.tsx';
import { PasswordField } from '../../features/session/PasswordField.tsx';
import { Field } from '../../parts/Field.tsx';
import { isWrong, SignInError, useSignIn } from './useSignIn.tsx';

interface PasswordSignInProps {
  next: string | undefined;
  onOtherWay: () => void;
}

/** With two-factor authentication there are two steps: the service asks for the code after the password. */
export function PasswordSignIn({ next, onOtherWay }: PasswordSignInProps) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [step, setStep] = useState<'password' | 'code'>('password');
  const { mutate, isPending, error, variables, reset } = useSignIn(next);
  const sentCode = variables !== undefined && 'code' in variables;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const credentials = { email: email.trim(), password };
    mutate(step === 'code' ? { ...credentials, code: cleanCode(code) } : credentials, {
      onError: (refused) => {
        if (wantsCode(refused)) setStep('code');
      },
    });
  };
  const back = () => {
    reset();
    setCode('');
    setPassword('');
    setStep('password');
  };
  if (step === 'code') {
    return (
      <form className="sign-in-form" onSubmit={submit}>
        <p className="sign-in-first">
          Enter the two-factor code of <strong className="break">{email.trim()}</strong>.
        </p>
        <CodeField
          value={code}
          onText={setCode}
          error={error !== null && sentCode && isWrong(error) ? error.message : undefined}
        />
        {sentCode && <SignInError error={error} />}
        <button
          type="submit"
          className="button button-primary button-wide"
          disabled={isPending || cleanCode(code).length < 6}
        >
          {isPending ? 'Signing in…' : 'Sign in'}
        </button>
        <button type="button" className="button button-plain button-wide" onClick={back}>
          Use another account
        </button>
      </form>
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
      <PasswordField
        label="Password"
        autoComplete="current-password"
        value={password}
        onText={setPassword}
        error={error === null || wantsCode(error) || !isWrong(error) ? undefined : error.message}
      />
      <Link to="/forgot-password" className="quiet-link sign-in-forgot">
        Forgot your password?
      </Link>
      <SignInError error={error} />
      <button type="submit" className="button button-primary button-wide" disabled={isPending}>
        {isPending ? 'Signing in…' : 'Sign in'}
      </button>
      <p className="sign-in-ways">
        Server admin?{' '}
        <button type="button" className="link-button" onClick={onOtherWay}>
          Use the admin token
        </button>
      </p>
    </form>
  );
}
