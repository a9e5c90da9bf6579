import { useQuery } from '@tanstack/react-query';
import { useSession } from '../session/useSession.ts';
import { actorName } from './actors.ts';
import { peopleQueries } from './api.ts';

/** Who did something, where the service tells the actor alone: members by name. */
export function ActorName({ actor }: { actor: string }) {
  // The root token stands in no organization whose members these could be.
  const known = useSession().organization !== null;
  const members = useQuery({ ...peopleQueries.members(undefined), enabled: known }).data ?? [];
  const member = members.find(({ person_id }) => actor === `person:${person_id}`);
  if (!known && actor.startsWith('person:')) return 'a member';
  return actorName(actor, member?.name ?? null);
}
