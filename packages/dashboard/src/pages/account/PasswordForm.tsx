import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../api/client.ts';
import { accountApi, accountQuery, sessionsQuery } from '../../features/account/api.ts';
import { NewPasswordField, PASSWORD_LENGTH, RevokeTokens } from '../../features/session/NewPasswordField.tsx';
import { PasswordField } from '../../features/session/PasswordField.tsx';
import { useAnnounce } from '../../parts/Announcer.tsx';
import { FormError } from '../../parts/states.tsx';

export function PasswordForm({ apiTokens }: { apiTokens: number }) {
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [revokes, setRevokes] = useState(false);
  const { mutate, isPending, isSuccess, error, reset } = useMutation({
    mutationFn: () => accountApi.changePassword({ current, new: next, revoke_api_tokens: revokes }),
    onSuccess: async () => {
      setCurrent('');
      setNext('');
      setRevokes(false);
      announce('Password changed');
      await Promise.all([
        queryClient.invalidateQueries(sessionsQuery()),
        queryClient.invalidateQueries(accountQuery()),
      ]);
    },
  });
  const problem = error instanceof ApiError ? error : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  return (
    <form className="form" onSubmit={submit} onChange={() => isSuccess && reset()}>
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        value={current}
        onText={setCurrent}
        error={problem?.field('current') === undefined ? undefined : 'Wrong password.'}
      />
      <NewPasswordField label="New password" value={next} onText={setNext} error={problem?.field('new')} />
      <RevokeTokens count={apiTokens} on={revokes} onSwitch={setRevokes} />
      <FormError error={error} />
      <div className="form-foot">
        <button
          type="submit"
          className="button button-primary"
          disabled={isPending || current === '' || next.length < PASSWORD_LENGTH.min}
        >
          {isPending ? 'Changing…' : 'Change password'}
        </button>
        {isSuccess && <span className="said">✓ Changed. Your other sessions have ended.</span>}
      </div>
    </form>
  );
}
