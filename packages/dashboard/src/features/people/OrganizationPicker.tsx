import { useQuery } from '@tanstack/react-query';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { Initials } from '../../parts/Initials.tsx';
import { peopleQueries } from './api.ts';
import { useWhere } from './search.ts';

/** For the admin token, which belongs to no organization: chooses the one that these pages show. */
export function OrganizationPicker() {
  const where = useWhere();
  const navigate = useNavigate();
  const isLog = useRouterState({ select: ({ location }) => location.pathname === '/organization/audit' });
  const organizations = useQuery(peopleQueries.organizations()).data ?? [];
  const [first] = organizations;
  if (organizations.length < 2) return <OrganizationName name={first?.name ?? ''} />;
  const chosen = organizations.find(({ id }) => id === where)?.id;
  return (
    <select
      className="input select organization-picker"
      aria-label="Organization"
      // Without a choice the log covers the whole installation; every other page shows the first organization.
      value={chosen ?? (isLog ? '' : first?.id)}
      onChange={({ target: { value } }) =>
        void navigate({ to: '.', search: value === '' ? {} : { organization: value }, replace: true })
      }
    >
      {isLog && <option value="">The whole installation</option>}
      {organizations.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** Whose pages these are. */
export function OrganizationName({ name }: { name: string }) {
  return (
    <p className="organization-name">
      <Initials name={name} of="place" />
      <span className="switcher-text">
        <span className="switcher-name">{name}</span> <span className="switcher-domain">Organization</span>
      </span>
    </p>
  );
}
