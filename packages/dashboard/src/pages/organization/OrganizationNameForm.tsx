import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../api/client.ts';
import { queries } from '../../api/queries.ts';
import { type OwnOrganization, peopleApi, peopleQueries } from '../../features/people/api.ts';
import { useWhere } from '../../features/people/search.ts';
import { WHY_NOT } from '../../features/session/may.ts';
import { RequirePermission } from '../../features/session/RequirePermission.tsx';
import { useMay } from '../../features/session/useSession.ts';
import { useAnnounce } from '../../parts/Announcer.tsx';
import { Field } from '../../parts/Field.tsx';
import { FormError } from '../../parts/states.tsx';

const MAX_NAME = 100;

export function OrganizationNameForm({ organization }: { organization: OwnOrganization }) {
  const where = useWhere();
  const mayChange = useMay('people');
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const [name, setName] = useState(organization.name);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => peopleApi.rename(where, name.trim()),
    onSuccess: async () => {
      await Promise.all([
        queryClient.invalidateQueries(peopleQueries.organization(where)),
        queryClient.invalidateQueries(peopleQueries.organizations()),
        queryClient.invalidateQueries(queries.session()),
      ]);
      announce('Saved');
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  return (
    <form className="form" onSubmit={submit}>
      <RequirePermission permission="people">
        <Field
          label="Name"
          required
          maxLength={MAX_NAME}
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={error instanceof ApiError ? error.field('name') : undefined}
          {...(mayChange ? {} : { hint: WHY_NOT.people })}
        />
        <FormError error={error} />
        {mayChange && (
          <div>
            <button
              type="submit"
              className="button button-primary"
              disabled={isPending || name.trim() === '' || name.trim() === organization.name}
            >
              {isPending ? 'Saving…' : 'Save'}
            </button>
          </div>
        )}
      </RequirePermission>
    </form>
  );
}
