import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../api/client.ts';
import { queries } from '../../api/queries.ts';
import { type Account, accountApi, accountQuery } from '../../features/account/api.ts';
import { useAnnounce } from '../../parts/Announcer.tsx';
import { Field } from '../../parts/Field.tsx';
import { FormError } from '../../parts/states.tsx';

const MAX_NAME = 100;

export function NameForm({ account }: { account: Account }) {
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const [name, setName] = useState(account.name);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => accountApi.rename(name.trim()),
    onSuccess: (changed) => {
      queryClient.setQueryData(accountQuery().queryKey, changed);
      void queryClient.invalidateQueries(queries.session());
      announce('Saved');
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  return (
    <form className="form" onSubmit={submit}>
      <Field
        label="Name"
        autoComplete="name"
        required
        maxLength={MAX_NAME}
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={error instanceof ApiError ? error.field('name') : undefined}
      />
      <Field
        label="E-mail"
        type="email"
        // Password managers keep a new password under the name that stands before it.
        autoComplete="username"
        readOnly
        value={account.email}
        hint="You sign in with it. It stays as it is: for another address, be invited at that one."
      />
      <FormError error={error} />
      <div>
        <button
          type="submit"
          className="button button-primary"
          disabled={isPending || name.trim() === '' || name.trim() === account.name}
        >
          {isPending ? 'Saving…' : 'Save'}
        </button>
      </div>
    </form>
  );
}
