import { useQuery } from '@tanstack/react-query';
import { useSession } from '../session/useSession.ts';
import { peopleQueries } from './api.ts';

/** Words for who did something. @param name what the service calls a person or token; null: it knows no name (any more) */
export function actorName(actor: string, name: string | null): string {
  const [kind = '', id = ''] = actor.split(':');
  if (kind === 'root') return id === '' ? 'Admin token' : `Admin token (session ${id})`;
  if (kind === 'person') return name ?? 'Somebody who left';
  if (kind === 'token') return name === null ? 'An API token' : `${name} (API token)`;
  return name ?? actor;
}

/** Who did something, where the service tells the actor alone: members by name. */
export function ActorName({ actor }: { actor: string }) {
  // The root token stands in no organization whose members these could be.
  const known = useSession().organization !== null;
  const members = useQuery({ ...peopleQueries.members(undefined), enabled: known }).data ?? [];
  const member = members.find(({ person_id }) => actor === `person:${person_id}`);
  if (!known && actor.startsWith('person:')) return 'a member';
  return actorName(actor, member?.name ?? null);
}
