/** The menu of the signed-in person: at the foot of the rail, on a phone in the corner. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { api } from '../api/client.ts';
import type { Session } from '../api/types.ts';
import { accountApi, accountQuery } from '../features/account/api.ts';
import { PEOPLE_PAGES } from '../features/page/pages.tsx';
import { may } from '../features/session/may.ts';
import { forgetSession, useEnter, useSession } from '../features/session/useSession.ts';
import { Initials } from '../parts/Initials.tsx';
import { IconCheck, IconChevrons, IconKey, IconSignOut } from '../parts/icons.tsx';
import { Menu, type MenuParts } from '../parts/overlays/Menu.tsx';
import { forgetPlaces } from './jump/recent.ts';

export function PersonMenu() {
  const session = useSession();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const signOut = useMutation({
    mutationFn: api.signOut,
    onSettled: async () => {
      forgetPlaces();
      await navigate({ to: '/sign-in' });
      forgetSession(queryClient);
    },
  });
  const { name, detail, place } = whoIs(session);
  return (
    <Menu
      className="person"
      label={`Signed in as ${name}, ${place}. Account, organization, sign out`}
      disabled={signOut.isPending}
      title={name}
      face={
        <>
          <Initials name={session.person?.name ?? ''} of="person">
            {session.person === null && <IconKey />}
          </Initials>
          <span className="switcher-text">
            <span className="switcher-name">{name}</span> <span className="switcher-domain">{place}</span>
          </span>
          <IconChevrons />
        </>
      }
      side="top"
    >
      {(menu) => (
        <>
          <menu.Label className="menu-label">{detail}</menu.Label>
          {PEOPLE_PAGES.filter(({ permission }) => permission === null || may(session, permission)).map(
            ({ to, label, icon }) => (
              <menu.Item key={to} className="menu-item" asChild>
                <Link to={to}>
                  {icon}
                  <span className="menu-item-text">{label}</span>
                </Link>
              </menu.Item>
            ),
          )}
          {session.kind === 'person' && <Organizations menu={menu} current={session.organization?.id} />}
          <menu.Separator className="menu-separator" />
          <menu.Item className="menu-item" onSelect={() => signOut.mutate()}>
            <IconSignOut />
            <span className="menu-item-text">Sign out</span>
          </menu.Item>
        </>
      )}
    </Menu>
  );
}

/** The person's other organizations; empty for most people. */
function Organizations({ menu, current }: { menu: MenuParts; current: string | undefined }) {
  const { data } = useQuery(accountQuery());
  const enter = useEnter();
  const { mutate } = useMutation({
    mutationFn: accountApi.moveTo,
    onSuccess: (session) => enter(session),
  });
  if (data === undefined || data.organizations.length < 2) return null;
  return (
    <>
      <menu.Separator className="menu-separator" />
      <menu.Label className="menu-label">Organizations</menu.Label>
      {data.organizations.map(({ id, name }) => (
        <menu.Item
          key={id}
          className="menu-item"
          data-current={id === current}
          onSelect={() => {
            if (id !== current) mutate(id);
          }}
        >
          <Initials name={name} of="place" />
          <span className="menu-item-text">{name}</span>
          {id === current && <IconCheck label="current" />}
        </menu.Item>
      ))}
    </>
  );
}

/** `detail` is at the head of the menu, `place` under the name. */
function whoIs({ kind, person, organization }: Session): { name: string; detail: string; place: string } {
  if (person !== null) return { name: person.name, detail: person.email, place: organization?.name ?? '' };
  if (kind === 'root') return { name: 'Admin token', detail: 'ADMIN_TOKEN', place: 'all organizations' };
  return { name: 'API token', detail: 'An API token', place: organization?.name ?? '' };
}
