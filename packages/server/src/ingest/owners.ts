/** Asks once per distinct attribution id of a request which organization it belongs to. */
import type { Properties } from './ports.ts';

/** Waits only for what the properties room doesn't know at once. */
export async function ownersOf(
  properties: Properties,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string | null>> {
  const owners = new Map<string, string | null>();
  for (const id of ids) {
    const owner = properties.ownerOf(id);
    owners.set(id, owner instanceof Promise ? await owner : owner);
  }
  return owners;
}
