import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, Fragment, useState } from 'react';
import { ApiError } from '../../api/client.ts';
import { PageHead } from '../../features/page/PageHead.tsx';
import { peopleApi, peopleQueries } from '../../features/people/api.ts';
import { useWhere } from '../../features/people/search.ts';
import { useProperties } from '../../features/property/useProperty.ts';
import { useMay } from '../../features/session/useSession.ts';
import { counted } from '../../format/names.ts';
import { useAnnounce } from '../../parts/Announcer.tsx';
import { CopyButton } from '../../parts/CopyButton.tsx';
import { DangerRow, DangerZone } from '../../parts/DangerZone.tsx';
import { Field } from '../../parts/Field.tsx';
import { Section } from '../../parts/Section.tsx';
import { ErrorState, FormError, Skeleton } from '../../parts/states.tsx';
import { Time } from '../../parts/Time.tsx';
import { DeleteOrganization } from './DeleteOrganization.tsx';
import { DeletionsSection } from './DeletionsSection.tsx';
import { OrganizationNameForm } from './OrganizationNameForm.tsx';
import { TakeoutSection } from './TakeoutSection.tsx';

export function OrganizationPage() {
  const where = useWhere();
  const isRoot = useMay('installation');
  const mayReadDeletions = useMay('audit');
  const mayDelete = useMay('people');
  const { data, error, refetch } = useQuery(peopleQueries.organization(where));
  return (
    <>
      <PageHead title="Organization" />
      {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton lines={5} label="Loading the organization" />}
      <div className="sections organization">
        {data !== undefined && (
          <>
            {data.members === 0 && (
              <p className="notice notice-wait">
                No one can sign in yet, except with the admin token.{' '}
                <Link
                  to="/organization/members"
                  search={where === undefined ? {} : { organization: where }}
                  hash="owner"
                >
                  Invite an owner
                </Link>
              </p>
            )}
            <Section title="Profile" about="Shown to members and in invitations.">
              <OrganizationNameForm key={data.name} organization={data} />
            </Section>
            <Section title="Details">
              <dl className="facts">
                <div>
                  <dt>ID</dt>
                  <dd>
                    <span className="identifier">
                      <code className="break">{data.id}</code>
                      <CopyButton text={data.id} what="the organization ID" />
                    </span>
                    <span className="fact-about">For the API and the command line</span>
                  </dd>
                </div>
                <div>
                  <dt>Members</dt>
                  <dd>
                    <Link
                      to="/organization/members"
                      search={where === undefined ? {} : { organization: where }}
                    >
                      {data.members === 0 ? 'None yet' : counted(data.members, 'member')}
                    </Link>
                  </dd>
                </div>
                {mayDelete && <PropertiesFact organizationId={data.id} />}
                {/* The first organization was created with the database, without a date. */}
                {Date.parse(data.created_at) > 0 && (
                  <div>
                    <dt>Since</dt>
                    <dd>
                      <Time value={data.created_at} form="date" />
                    </dd>
                  </div>
                )}
              </dl>
            </Section>
          </>
        )}
        {data !== undefined && mayDelete && (
          <Section
            title="Export"
            about="All data in one .tar archive of NDJSON files. Secrets are left out and visitor IDs are hashed."
          >
            <TakeoutSection />
          </Section>
        )}
        {data !== undefined && mayReadDeletions && <DeletionsSection />}
        {isRoot && (data !== undefined || error !== null) && (
          <Section title="More organizations" about="Each has its own properties, members and logs.">
            <NewOrganizationForm />
          </Section>
        )}
        {data !== undefined && mayDelete && !data.runs_installation && (
          <DangerZone>
            <DangerRow
              title="Delete this organization"
              about="Deletes its properties, members, tokens and audit log. All its keys and tokens stop working at once. This can’t be undone."
            >
              <DeleteOrganization organization={data} />
            </DangerRow>
          </DangerZone>
        )}
      </div>
    </>
  );
}

/** Properties that are named; more are counted. */
const NAMED = 3;

/** For owners, who see all of them. */
function PropertiesFact({ organizationId }: { organizationId: string }) {
  const own = useProperties().filter(({ organization_id }) => organization_id === organizationId);
  const more = own.length - NAMED;
  return (
    <div>
      <dt>Properties</dt>
      <dd>
        {own.length === 0 && 'none'}
        {own.slice(0, NAMED).map(({ id, name }, index) => (
          <Fragment key={id}>
            {index > 0 && ', '}
            <Link to="/p/$propertyId" params={{ propertyId: id }}>
              {name}
            </Link>
          </Fragment>
        ))}
        {more > 0 && ` and ${more.toLocaleString('en')} more`}
      </dd>
    </div>
  );
}

const MAX_NAME = 100;

/** For the admin token only; the next page invites the first owner. */
function NewOrganizationForm() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const announce = useAnnounce();
  const [name, setName] = useState('');
  const [open, setOpen] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => peopleApi.create(name.trim()),
    onSuccess: async ({ id, name: made }) => {
      await queryClient.invalidateQueries(peopleQueries.organizations());
      announce(`Created ${made}`);
      await navigate({ to: '/organization/members', search: { organization: id } });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  if (!open)
    return (
      <button type="button" className="button" onClick={() => setOpen(true)}>
        New organization
      </button>
    );
  return (
    <form className="form" onSubmit={submit}>
      <Field
        autoFocus
        label="Name of the new organization"
        required
        maxLength={MAX_NAME}
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={error instanceof ApiError ? error.field('name') : undefined}
        hint="Next you invite its first owner."
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
