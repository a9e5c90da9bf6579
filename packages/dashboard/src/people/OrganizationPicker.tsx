import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { peopleQueries } from './api.ts';
import { useWhere } from './useWhere.ts';

/** For the root token, which stands in no organization: which one these pages are about. */
export function OrganizationPicker() {
  const where = useWhere();
  const navigate = useNavigate();
  const organizations = useQuery(peopleQueries.organizations()).data ?? [];
  const [only] = organizations;
  if (organizations.length < 2) return <p className="rail-title">{only?.name ?? 'Organization'}</p>;
  // Without a choice the service answers for its first organization.
  const current = useableId(where, organizations) ?? only?.id ?? '';
  return (
    <select
      className="input select organization-picker"
      aria-label="Organization"
      value={current}
      onChange={({ target }) =>
        void navigate({ to: '.', search: { organization: target.value }, replace: true })
      }
    >
      {organizations.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

function useableId(id: string | undefined, organizations: readonly { id: string }[]): string | undefined {
  return organizations.find((one) => one.id === id)?.id;
}
