/** Asks once per distinct attribution id of a request which organization it belongs to. */
import { within } from '../kit/index.ts';
import type { Properties } from './ports.ts';

/** With the second that checking a key may take, a sender has its answer within two. */
const OWNERS_MS = 900;

/** Waits only for what the properties room doesn't know at once. */
export async function ownersOf(
  properties: Pick<Properties, 'ownerOf'>,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string | null>> {
  const owners = new Map<string, string | null>();
  for (const id of ids) {
    const owner = properties.ownerOf(id);
    owners.set(id, owner instanceof Promise ? await within(OWNERS_MS, owner) : owner);
  }
  return owners;
}
