/** Forwarding as the rules see it. */
import type { Forwarding } from '../forwarding/index.ts';
import type { Owner } from '../properties/index.ts';
import type { WatchedDestination } from './rules/index.ts';

export async function watchedDestinations(
  forwarding: Pick<Forwarding, 'destinations' | 'health'>,
  owner: Owner,
): Promise<WatchedDestination[]> {
  const rows = (await forwarding.destinations.list(owner)).map(({ row }) => row);
  const health = await forwarding.health(
    owner,
    rows.map(({ id }) => id),
  );
  return rows.flatMap(({ id, name, paused, alarm }) => {
    const of = health.get(id);
    if (of === undefined) return [];
    return [
      {
        id,
        name,
        paused: paused === 1,
        alarm: alarm === null ? null : (JSON.parse(alarm) as { readonly message: string }).message,
        delivered: of.delivered,
        dead: of.dead,
        unknown: of.unknown,
        oldestWaitingAt: of.oldestWaitingAt,
      },
    ];
  });
}
