/**
 * Which keys the nodes of an installation hold. SECRET_KEY is rotated in two steps: every node gets the new key as SECRET_KEY_PREVIOUS first,
 * then each one begins to encrypt with it. A node that began at once would encrypt what the running others can't decrypt, so it is refused while
 * they run. Rows are of the installation; they hold names of keys, which are digests, and no keys.
 */
import { MINUTE_MS } from '@ghostlight/core/time';
import type { Clock, Log } from '../common/index.ts';
import type { Database } from './database.ts';
import { DecryptError } from './secrets.ts';

const PREFIX = 'node-keys:';
const BEAT_MS = MINUTE_MS;
/** A node that has not been heard of for this long is gone. */
const ALIVE_MS = 3 * BEAT_MS;

interface NodeKeys {
  /** What the node encrypts with. */
  readonly current: string;
  /** What it can open. */
  readonly known: readonly string[];
  /** Epoch milliseconds. */
  readonly at: number;
}

export interface KeyNotice {
  /** Takes this node's row away: its keys bind no other any more. */
  close(): Promise<void>;
}

/**
 * Tells the other nodes which keys this one holds, from now until `close`. A database that is not shared has one node, and nothing to tell.
 * @param keyIds see `keyIdsOf`
 * @throws DecryptError when a running node could not decrypt what this one encrypts, or the other way round
 */
export async function announceKeys(
  db: Database,
  keyIds: readonly string[],
  { node, clock, log }: { readonly node: string; readonly clock: Clock; readonly log: Log },
): Promise<KeyNotice> {
  if (!db.adapter.isShared) return { close: async () => {} };
  const key = `${PREFIX}${node}`;
  const [current = '', ...others] = keyIds;
  const known = [current, ...others];
  for (const other of await otherNodes(db, key, clock() - ALIVE_MS)) {
    if (!other.known.includes(current))
      throw new DecryptError(
        'SECRET_KEY: another node runs (or ran within three minutes) without this key, and could not read what this node encrypts. First give every node the new key as SECRET_KEY_PREVIOUS and restart it; then make it SECRET_KEY.',
      );
    if (!known.includes(other.current))
      throw new DecryptError(
        'SECRET_KEY_PREVIOUS: another node runs (or ran within three minutes) with a key that this node was not given. Give that one as SECRET_KEY_PREVIOUS.',
      );
  }
  const tell = async () => {
    const value = JSON.stringify({ current, known, at: clock() } satisfies NodeKeys);
    await db.kysely
      .insertInto('installation')
      .values({ key, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute();
  };
  await tell();
  const beat = setInterval(() => {
    tell().catch((error: unknown) => log.warn({ err: error }, 'the keys of this node could not be recorded'));
  }, BEAT_MS);
  beat.unref();
  return {
    async close() {
      clearInterval(beat);
      await db.kysely.deleteFrom('installation').where('key', '=', key).execute();
    },
  };
}

/** Also removes rows of nodes that are permanently gone. */
async function otherNodes(db: Database, own: string, since: number): Promise<NodeKeys[]> {
  const rows = await db.kysely
    .selectFrom('installation')
    .selectAll()
    .where('key', 'like', `${PREFIX}%`)
    .where('key', '!=', own)
    .execute();
  const alive: NodeKeys[] = [];
  for (const { key, value } of rows) {
    const keys = JSON.parse(value) as NodeKeys;
    if (keys.at >= since) alive.push(keys);
    else
      await db.kysely.deleteFrom('installation').where('key', '=', key).where('value', '=', value).execute();
  }
  return alive;
}
