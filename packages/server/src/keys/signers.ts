/**
 * The keys that may sign for a property. A request that names one costs a look-up before its sender is known, so what was found stands for at
 * most 5 s, as with keys that are sent: a revocation holds on every node by then, and at once on the node that made it.
 */
import { type Clock, within } from '../common/index.ts';
import { AWAY_GRACE_MS, createReadThrough, type Database, type SecretCipher } from '../database/index.ts';
import { openSettings } from './settings.ts';
import { VERIFY_MS, type VerifiedKey } from './verifier.ts';

/** Each is tried with each signed request that has no key. */
const MAX_SIGNERS = 5;
/** Of one organization and source; those without the setting are among them. */
const MAX_READ = 1_000;

interface Signer {
  readonly key: VerifiedKey;
  readonly expiresAt: number | null;
}

export interface Signers {
  /**
   * Good keys of a source that have a setting and stand for a property: its own, and those of its organization that name none. Newest first,
   * at most five.
   * @throws when the database can't be asked, or too many unknown properties are being looked up
   */
  find(source: string, attributionId: string, setting: string): Promise<VerifiedKey[]>;
  /** After a change of any key: what is found next is read from the database. */
  forget(): void;
}

export function createSigners(
  db: Database,
  { cipher, clock }: { readonly cipher: SecretCipher; readonly clock: Clock },
): Signers {
  const known = createReadThrough<readonly Signer[]>({
    clock,
    graceMs: AWAY_GRACE_MS,
    load: async (name) => {
      const [source = '', attributionId = '', setting = ''] = name.split('/');
      const found = await read(db, cipher, clock(), source, attributionId);
      const signing = found.filter(({ key }) => key.settings?.[setting] !== undefined);
      return signing.length === 0 ? undefined : signing.slice(0, MAX_SIGNERS);
    },
  });
  return {
    async find(source, attributionId, setting) {
      const name = `${source}/${attributionId}/${setting}`;
      const peeked = known.peek(name);
      const found = peeked === undefined ? await within(VERIFY_MS, known.get(name)) : peeked;
      const now = clock();
      return (found ?? [])
        .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
        .map(({ key }) => key);
    },
    forget: () => known.forgetAll(),
  };
}

async function read(
  db: Database,
  cipher: SecretCipher,
  now: number,
  source: string,
  attributionId: string,
): Promise<Signer[]> {
  const rows = await db.reader
    .selectFrom('ingest_keys')
    .innerJoin('properties', 'properties.organization_id', 'ingest_keys.organization_id')
    .selectAll('ingest_keys')
    .where('properties.id', '=', attributionId)
    .where('properties.deleted_at', 'is', null)
    .where('ingest_keys.provider', '=', source)
    .where('ingest_keys.settings', 'is not', null)
    .where('ingest_keys.revoked_at', 'is', null)
    .where(({ eb, or }) =>
      or([eb('ingest_keys.expires_at', 'is', null), eb('ingest_keys.expires_at', '>', now)]),
    )
    .where(({ eb, or }) =>
      or([
        eb('ingest_keys.attribution_id', 'is', null),
        eb('ingest_keys.attribution_id', '=', attributionId),
      ]),
    )
    .orderBy('ingest_keys.created_at', 'desc')
    .orderBy('ingest_keys.id')
    .limit(MAX_READ)
    .execute();
  return rows.map((row) => ({
    key: {
      ...{ id: row.id, organizationId: row.organization_id, attributionId: row.attribution_id },
      ...{ provider: source, prefix: row.prefix, settings: openSettings(cipher, row.id, row.settings) },
    },
    expiresAt: row.expires_at,
  }));
}
