/** The menu of the signed-in person: at the foot of the rail, on a phone in the corner. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { DropdownMenu } from 'radix-ui';
import { useState } from 'react';
import { api } from '../api/client.ts';
import type { Session } from '../api/types.ts';
import { accountApi, accountQuery } from '../features/account/api.ts';
import { PEOPLE_PAGES } from '../features/page/pages.tsx';
import { may } from '../features/session/may.ts';
import { forgetSession, useEnter, useSession } from '../features/session/useSession.ts';
import { IconCheck, IconChevrons, IconKey, IconSignOut } from '../parts/icons.tsx';
import { forgetPlaces } from './jump/recent.ts';

/** Not modal, like `PropertySwitcher`. */
export function PersonMenu() {
  const session = useSession();
  const [open, setOpen] = useState(false);
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
    <DropdownMenu.Root modal={false} open={open} onOpenChange={setOpen}>
      <DropdownMenu.Trigger
        className="person"
        aria-label={`Signed in as ${name}, ${place}. Account, organization, sign out`}
        disabled={signOut.isPending}
      >
        <Initials session={session} />
        <span className="switcher-text">
          <span className="switcher-name">{name}</span> <span className="switcher-domain">{place}</span>
        </span>
        <IconChevrons />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" side="top" align="start" sideOffset={6} collisionPadding={12}>
          <DropdownMenu.Label className="menu-label">{detail}</DropdownMenu.Label>
          {PEOPLE_PAGES.filter(({ permission }) => permission === null || may(session, permission)).map(
            ({ to, label, icon }) => (
              <DropdownMenu.Item key={to} className="menu-item" asChild>
                <Link to={to}>
                  {icon}
                  <span className="menu-item-text">{label}</span>
                </Link>
              </DropdownMenu.Item>
            ),
          )}
          {open && session.kind === 'person' && <Organizations current={session.organization?.id} />}
          <DropdownMenu.Separator className="menu-separator" />
          <DropdownMenu.Item className="menu-item" onSelect={() => signOut.mutate()}>
            <IconSignOut />
            <span className="menu-item-text">Sign out</span>
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** The person's other organizations; empty for most people. */
function Organizations({ current }: { current: string | undefined }) {
  const { data } = useQuery(accountQuery());
  const enter = useEnter();
  const { mutate } = useMutation({
    mutationFn: accountApi.moveTo,
    onSuccess: (session) => enter(session),
  });
  if (data === undefined || data.organizations.length < 2) return null;
  return (
    <>
      <DropdownMenu.Separator className="menu-separator" />
      <DropdownMenu.Label className="menu-label">Organizations</DropdownMenu.Label>
      {data.organizations.map(({ id, name }) => (
        <DropdownMenu.Item
          key={id}
          className="menu-item"
          onSelect={() => {
            if (id !== current) mutate(id);
          }}
        >
          <span className="menu-item-text">{name}</span>
          {id === current && <IconCheck label="here now" />}
        </DropdownMenu.Item>
      ))}
    </>
  );
}

function Initials({ session: { person } }: { session: Session }) {
  const letters = (person?.name ?? '')
    .split(/\s+/)
    .flatMap((word) => [...word].slice(0, 1))
    .filter((_, index, all) => index === 0 || index === all.length - 1)
    .join('');
  // Decorative: not part of the button's name.
  return (
    <span className="initials" aria-hidden="true" data-letters={letters}>
      {person === null && <IconKey />}
    </span>
  );
}

/** `detail` is at the head of the menu, `place` under the name. */
function whoIs({ kind, person, organization }: Session): { name: string; detail: string; place: string } {
  if (person !== null) return { name: person.name, detail: person.email, place: organization?.name ?? '' };
  if (kind === 'root') return { name: 'Admin token', detail: 'The root token', place: 'all organizations' };
  return { name: 'API token', detail: 'An API token', place: organization?.name ?? '' };
}
