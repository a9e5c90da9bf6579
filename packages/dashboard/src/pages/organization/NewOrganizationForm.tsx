import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../api/client.ts';
import { peopleApi, peopleQueries } from '../../features/people/api.ts';
import { useAnnounce } from '../../parts/Announcer.tsx';
import { Field } from '../../parts/Field.tsx';
import { FormError } from '../../parts/states.tsx';

const MAX_NAME = 100;

/** For the root token alone; its first owner is invited on the page that follows. */
export function NewOrganizationForm() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const announce = useAnnounce();
  const [name, setName] = useState('');
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => peopleApi.create(name.trim()),
    onSuccess: async ({ id, name: made }) => {
      await queryClient.invalidateQueries(peopleQueries.organizations());
      announce(`Made ${made}`);
      await navigate({ to: '/organization/members', search: { organization: id } });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  return (
    <form className="form" onSubmit={submit}>
      <Field
        label="Name of the new organization"
        required
        maxLength={MAX_NAME}
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={error instanceof ApiError ? error.field('name') : undefined}
        hint="Then invite its first owner. Only the root token can do this."
      />
      <FormError error={error} />
      <div>
        <button type="submit" className="button" disabled={isPending || name.trim() === ''}>
          {isPending ? 'One moment…' : 'Create organization'}
        </button>
      </div>
    </form>
  );
}
