import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { api, call } from '../../api/client.ts';
import { queries } from '../../api/queries.ts';
import type { Property, PropertyFields } from '../../api/types.ts';
import { peopleQueries } from '../../features/people/api.ts';
import { PropertyForm } from '../../features/property/PropertyForm.tsx';
import { useProperties } from '../../features/property/useProperty.ts';
import { useMay, useSession } from '../../features/session/useSession.ts';
import { Logo } from '../../parts/Logo.tsx';
import { EmptyState } from '../../parts/states.tsx';

/** Whose it will be; for the admin token, that of the installation. */
function useOrganizationName(): string | undefined {
  const own = useSession().organization;
  const all = useQuery({ ...peopleQueries.organizations(), enabled: own === null });
  return own?.name ?? all.data?.[0]?.name;
}

/** Creates a property; the first screen of an empty installation. */
export function NewPropertyPage() {
  const first = useProperties().length === 0;
  const { person } = useSession();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const created = useRef<Property | null>(null);
  const { mutate, isPending, error } = useMutation({
    mutationFn: async ({ fields, sitemap }: { fields: PropertyFields; sitemap: string }) => {
      // What was created stays created when the sitemap is refused: the next try sets that alone.
      created.current ??= await api.createProperty(fields);
      if (sitemap !== '')
        await call('PUT', '/api/v1/properties/{id}/reports/sitemap', {
          params: { id: created.current.id },
          body: { url: sitemap },
        });
      return created.current;
    },
    onSuccess: async ({ id }) => {
      await queryClient.fetchQuery({ ...queries.properties(), staleTime: 0 });
      await navigate({ to: '/p/$propertyId/setup', params: { propertyId: id } });
    },
  });
  const mayChange = useMay('organization');
  const organization = useOrganizationName();
  const title = !mayChange ? 'No properties yet' : first ? 'Create your first property' : 'New property';
  useEffect(() => {
    document.title = `${title} · Ghostlight`;
  }, [title]);
  if (!mayChange) {
    return (
      <main className="centre">
        <EmptyState
          title="No properties yet"
          action={
            <Link to={first ? '/account' : '/'} className="button button-primary">
              {first ? 'Your account' : 'Back to the properties'}
            </Link>
          }
        >
          A property is one site. Admins and owners create properties, and owners give access to them.
        </EmptyState>
      </main>
    );
  }
  return (
    <main className="centre alone">
      <header className="alone-head">
        <Link to="/" className="alone-brand">
          <Logo size={20} />
          Ghostlight
        </Link>
        <span className="quiet">{person?.name ?? 'Admin token'}</span>
      </header>
      <div className="card first-card">
        <h1>{title}</h1>
        <p className="page-about">
          A site
          {organization !== undefined && (
            <>
              {' '}
              in the organization <strong>{organization}</strong>
            </>
          )}
          . You’ll connect its traffic next.
        </p>
        <PropertyForm
          submitLabel="Create property"
          pending={isPending}
          error={error}
          asksSitemap
          onSubmit={(fields, sitemap) => mutate({ fields, sitemap })}
          otherWay={
            <Link to={first ? '/organization' : '/'} className={first ? 'button button-plain' : 'button'}>
              {first ? 'Account and organization' : 'Cancel'}
            </Link>
          }
        />
      </div>
    </main>
  );
}
