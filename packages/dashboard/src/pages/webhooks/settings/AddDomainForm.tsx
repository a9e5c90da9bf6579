import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../../api/client.ts';
import type { Property } from '../../../api/types.ts';
import { webhooksApi, webhooksQueries } from '../../../features/webhooks/api.ts';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import { Field } from '../../../parts/Field.tsx';
import { ErrorState } from '../../../parts/states.tsx';

/** The longest name that DNS has. */
const MAX_DOMAIN = 253;

export function AddDomainForm({ property }: { property: Property }) {
  const [domain, setDomain] = useState('');
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => webhooksApi.addDomain(property.id, domain.trim().toLowerCase()),
    onSuccess: async (added) => {
      await queryClient.invalidateQueries(webhooksQueries.domains(property.id));
      announce(`${added.domain} added. Its TXT record is shown in the list`);
      setDomain('');
    },
  });
  const refused = error instanceof ApiError ? error.field('domain') : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  return (
    <form className="form domain-form" onSubmit={submit}>
      <Field
        label="Add a domain"
        required
        maxLength={MAX_DOMAIN}
        className="mono"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        placeholder={`track.${property.domain}`}
        value={domain}
        onChange={(event) => setDomain(event.target.value)}
        error={refused}
      />
      {error !== null && refused === undefined && <ErrorState error={error} />}
      <div>
        <button type="submit" className="button" disabled={isPending || domain.trim() === ''}>
          {isPending ? 'Adding…' : 'Add domain'}
        </button>
      </div>
    </form>
  );
}
