import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../../api/client.ts';
import { accountApi, accountQuery } from '../../../features/account/api.ts';
import { CodeField, cleanCode } from '../../../features/session/CodeField.tsx';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import { Dialog } from '../../../parts/Dialog.tsx';
import { Field } from '../../../parts/Field.tsx';
import { FormError } from '../../../parts/states.tsx';

export function TurnOffDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const { mutate, isPending, error } = useMutation({
    mutationFn: accountApi.disableTotp,
    onSuccess: async () => {
      await queryClient.invalidateQueries(accountQuery());
      announce('The second factor is off');
      onClose();
    },
  });
  const problem = error instanceof ApiError ? error : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate({ password, code: cleanCode(code) });
  };
  return (
    <Dialog title="Turn the second factor off?" onClose={onClose}>
      <form className="form" onSubmit={submit}>
        <p>From then on the password alone opens your account. The recovery codes end with it.</p>
        <Field
          label="Your password"
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          error={problem?.field('password') === undefined ? undefined : 'This is not your password.'}
        />
        <CodeField
          value={code}
          onText={setCode}
          error={problem?.field('code') === undefined ? undefined : 'The code is wrong or was used already.'}
        />
        <FormError error={error} />
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="submit"
            className="button button-danger"
            disabled={isPending || password === '' || cleanCode(code).length < 6}
          >
            {isPending ? 'One moment…' : 'Turn off'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
