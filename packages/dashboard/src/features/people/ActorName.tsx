import { useQuery } from '@tanstack/react-query';
import { useSession } from '../session/useSession.ts';
import { peopleQueries } from './api.ts';

/** The name of an actor. @param name of the person or token as the service gives it; null: not known (any more) */
export function actorName(actor: string, name: string | null): string {
  const [kind = '', id = ''] = actor.split(':');
  if (kind === 'root') return id === '' ? 'Admin token' : `Admin token (session ${id})`;
  if (kind === 'groups') return 'Groups at sign-in';
  if (kind === 'person') return name ?? 'Former member';
  if (kind === 'token') return name === null ? 'An API token' : `${name} (API token)`;
  if (kind === 'service') return 'Ghostlight';
  return name ?? actor;
}

/** The name of an actor that the service gives as an id: members by name. */
export function ActorName({ actor }: { actor: string }) {
  // The admin token belongs to no organization, so there are no members to look up.
  const known = useSession().organization !== null;
  const members = useQuery({ ...peopleQueries.members(undefined), enabled: known }).data ?? [];
  const member = members.find(({ person_id }) => actor === `person:${person_id}`);
  if (!known && actor.startsWith('person:')) return 'a member';
  return actorName(actor, member?.name ?? null);
}
