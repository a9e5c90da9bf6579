import { type FormEvent, type ReactNode, useState } from 'react';
import { ApiError } from '../../../api/client.ts';
import { Field } from '../../../parts/Field.tsx';
import { FormError } from '../../../parts/states.tsx';

interface PasswordStepProps {
  children: ReactNode;
  action: string;
  pending: boolean;
  error: unknown;
  onSubmit: (password: string) => void;
  onCancel: () => void;
}

/** Whoever sits down at an open browser is not its owner: what would lock them out asks for the password. */
export function PasswordStep({ children, action, pending, error, onSubmit, onCancel }: PasswordStepProps) {
  const [password, setPassword] = useState('');
  const isWrong = error instanceof ApiError && error.field('password') !== undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(password);
  };
  return (
    <form className="form" onSubmit={submit}>
      <p>{children}</p>
      <Field
        label="Your password"
        type="password"
        autoComplete="current-password"
        autoFocus
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={isWrong ? 'This is not your password.' : undefined}
      />
      <FormError error={error} />
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onCancel}>
          Cancel
        </button>
        <button type="submit" className="button button-primary" disabled={pending || password === ''}>
          {pending ? 'One moment…' : action}
        </button>
      </div>
    </form>
  );
}
