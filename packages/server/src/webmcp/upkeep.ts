/** The hourly round: manifests that would run out are signed again, keys under an old secret re-encrypted. Once per cluster. */

import type { Clock, Log } from '../common/index.ts';
import type { Database, SecretCipher } from '../database/index.ts';
import type { Issuer } from './issuer.ts';
import { type Publications, RENEW_BELOW_MS } from './publications.ts';
import { rotateSecrets } from './signing-keys.ts';

const PAGE = 200;

/** One property that fails keeps no other waiting. @throws only when the database does */
export async function upkeep({
  database,
  cipher,
  issuer,
  publications,
  clock,
  log,
}: {
  database: Database;
  cipher: SecretCipher;
  issuer: () => Issuer;
  publications: Pick<Publications, 'renew'>;
  clock: Clock;
  log: Log;
}): Promise<void> {
  const attempt = async (attributionId: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      log.error({ err: error, attributionId }, 'a manifest or its key could not be renewed');
    }
  };
  for await (const row of pages((after) => manifestPage(database, after))) {
    const { attribution_id: id, organization_id: organizationId } = row;
    const due = row.expires_at - clock() < RENEW_BELOW_MS || row.jku !== issuer().jwksUrl(id);
    if (due) await attempt(id, () => publications.renew({ id, organizationId }));
  }
  for await (const key of pages((after) => keyPage(database, after)))
    await attempt(key.attribution_id, () => rotateSecrets(database, key, cipher));
}

async function* pages<Row extends { readonly attribution_id: string }>(
  read: (after: string) => Promise<Row[]>,
): AsyncGenerator<Row> {
  for (let after = ''; ; ) {
    const page = await read(after);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.attribution_id;
  }
}

const manifestPage = (database: Database, after: string) =>
  database.reader
    .selectFrom('webmcp_manifests')
    .select(['attribution_id', 'organization_id', 'expires_at', 'jku'])
    .where('attribution_id', '>', after)
    .orderBy('attribution_id')
    .limit(PAGE)
    .execute();

const keyPage = (database: Database, after: string) =>
  database.reader
    .selectFrom('webmcp_keys')
    .selectAll()
    .where('attribution_id', '>', after)
    .orderBy('attribution_id')
    .limit(PAGE)
    .execute();
