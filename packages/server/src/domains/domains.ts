/**
 * Custom tracking domains: a host of the customer's own from which the SDK, its events and webhooks are served, so that the visitor cookie
 * is a first-party one. Any property may claim a name; it is served once its TXT record proves ownership, for one property at a time.
 */
import { randomBytes } from 'node:crypto';
import { type Caller, type Clock, type Log, ServiceError } from '../common/index.ts';
import { audit, type Database, lockOrganization, type Row } from '../database/index.ts';
import type { Owner } from '../properties/index.ts';
import { challengeProblem, recordName, recordValue, type TxtLookup } from './challenge.ts';
import { claimable, release } from './claims.ts';
import { createServedHosts, type ServedDomain } from './served-hosts.ts';
import { failingSince, recheckAll } from './upkeep.ts';

export interface TrackingDomain {
  readonly domain: string;
  /** `failing`: served, but its record was not found the last time; after 7 days of that it is pending again. */
  readonly state: 'pending' | 'verified' | 'failing';
  readonly record: { readonly name: string; readonly value: string };
  /** Epoch milliseconds, as the others. */
  readonly createdAt: number;
  readonly verifiedAt: number | null;
  readonly checkedAt: number | null;
  readonly failingSince: number | null;
  /** A sentence about the last check. */
  readonly error: string | null;
}

export interface Domains {
  /** Whose custom domain this host is, or null for every other host; at most a second old. Host in lower case, without a port. */
  domainOf(host: string): ServedDomain | null;
  /** The verified tracking domains of a property, at most a second old; answers without waiting. */
  domainsOf(attributionId: string): readonly string[];
  /** Whether a proxy may get a certificate for the name. */
  mayServe(domain: string): boolean;
  /** Oldest first. */
  list(owner: Owner): Promise<TrackingDomain[]>;
  /** Again the same claim when it stands already. @throws ServiceError `invalid`, `conflict` for too many */
  add(owner: Owner, actor: Caller['actor'], domain: string): Promise<TrackingDomain>;
  /** Looks for the record now. @throws ServiceError `not_found`, `conflict`: another property proves it too */
  verify(owner: Owner, actor: Caller['actor'], domain: string): Promise<TrackingDomain>;
  /** @throws ServiceError `not_found` */
  remove(owner: Owner, actor: Caller['actor'], domain: string): Promise<void>;
  /** The daily job: every verified domain is looked at again. */
  recheck(): Promise<void>;
  /** Reads what is served, once before the first request. */
  start(): Promise<void>;
  close(): void;
}

export interface DomainsOptions {
  readonly database: Database;
  readonly lookup: TxtLookup;
  /** Hosts of the service itself, which no property may claim: it would hide the dashboard. */
  readonly ownHosts: () => readonly string[];
  readonly clock: Clock;
  readonly log: Log;
}

const MAX_PER_PROPERTY = 20;
const TOKEN_BYTES = 24;

export function createDomains(options: DomainsOptions): Domains {
  const { database, lookup, ownHosts, clock, log } = options;
  const served = createServedHosts({ database, ownHosts, log });

  const own = async (
    db: Database['kysely'],
    owner: Owner,
    domain: string,
  ): Promise<Row<'tracking_domains'>> => {
    const row = await ofOwner(db, owner).where('domain', '=', domain.toLowerCase()).executeTakeFirst();
    return row ?? absent();
  };

  return {
    domainOf: served.of,
    domainsOf: served.domainsOf,
    mayServe: (domain) =>
      ownHosts().includes(domain.toLowerCase()) || served.of(domain.toLowerCase()) !== null,
    async list(owner) {
      const rows = await ofOwner(database.reader, owner)
        .orderBy('created_at')
        .orderBy('domain')
        .limit(MAX_PER_PROPERTY)
        .execute();
      return rows.map(toView);
    },
    async add(owner, actor, text) {
      const domain = claimable(text, ownHosts());
      const at = clock();
      const row = await database.kysely.transaction().execute(async (trx) => {
        await lockOrganization(trx, owner.organizationId);
        const standing = await ofOwner(trx, owner).execute();
        const same = standing.find((candidate) => candidate.domain === domain);
        if (same !== undefined) return same;
        if (standing.length >= MAX_PER_PROPERTY)
          throw new ServiceError('conflict', `A property has at most ${MAX_PER_PROPERTY} tracking domains.`);
        const inserted = await trx
          .insertInto('tracking_domains')
          .values({
            domain,
            attribution_id: owner.id,
            organization_id: owner.organizationId,
            token: randomBytes(TOKEN_BYTES).toString('base64url'),
            created_at: at,
            verified_at: null,
            checked_at: null,
            failing_since: null,
            error: null,
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        await note(trx, owner, actor, at, 'added', domain);
        return inserted;
      });
      return toView(row);
    },
    async verify(owner, actor, domain) {
      const row = await own(database.reader, owner, domain);
      const { problem, records } = await challengeProblem(lookup, row.domain, row.token);
      const at = clock();
      await database.kysely.transaction().execute(async (trx) => {
        const change = (values: Partial<Row<'tracking_domains'>>) =>
          trx
            .updateTable('tracking_domains')
            .set(values)
            .where('domain', '=', row.domain)
            .where('attribution_id', '=', owner.id)
            .where('organization_id', '=', owner.organizationId);
        if (problem !== null) {
          const failing_since = failingSince(row, at);
          await change({ checked_at: at, error: problem, failing_since }).execute();
          return;
        }
        await release(trx, row, records);
        await change({ checked_at: at, failing_since: null, error: null }).execute();
        const { numUpdatedRows } = await change({ verified_at: at })
          .where('verified_at', 'is', null)
          .executeTakeFirst();
        // Of several at once, one is the first proof.
        if (numUpdatedRows > 0n) await note(trx, owner, actor, at, 'verified', row.domain);
      });
      await served.refresh();
      return toView(await own(database.kysely, owner, domain));
    },
    async remove(owner, actor, domain) {
      const at = clock();
      await database.kysely.transaction().execute(async (trx) => {
        const row = await own(trx, owner, domain);
        const { numDeletedRows } = await trx
          .deleteFrom('tracking_domains')
          .where('domain', '=', row.domain)
          .where('attribution_id', '=', owner.id)
          .where('organization_id', '=', owner.organizationId)
          .executeTakeFirst();
        // Another call was faster: it has the audit row.
        if (numDeletedRows === 0n) return absent();
        await note(trx, owner, actor, at, 'removed', row.domain);
      });
      await served.refresh();
    },
    async recheck() {
      await recheckAll({ database, lookup, clock, log });
      await served.refresh();
    },
    start: served.start,
    close: served.close,
  };
}

function absent(): never {
  throw new ServiceError('not_found', 'The property has no such tracking domain; list them.');
}

function ofOwner(db: Database['kysely'], { id, organizationId }: Owner) {
  return db
    .selectFrom('tracking_domains')
    .selectAll()
    .where('attribution_id', '=', id)
    .where('organization_id', '=', organizationId);
}

async function note(
  trx: Database['kysely'],
  { id, organizationId }: Owner,
  actor: string,
  at: number,
  what: 'added' | 'verified' | 'removed',
  domain: string,
): Promise<void> {
  await audit(trx, {
    at,
    actor,
    action: `tracking_domain.${what}`,
    subject: `${id}:${domain}`,
    organizationId,
  });
}

function toView(row: Row<'tracking_domains'>): TrackingDomain {
  return {
    domain: row.domain,
    state: row.verified_at === null ? 'pending' : row.failing_since === null ? 'verified' : 'failing',
    record: { name: recordName(row.domain), value: recordValue(row.token) },
    createdAt: row.created_at,
    verifiedAt: row.verified_at,
    checkedAt: row.checked_at,
    failingSince: row.failing_since,
    error: row.error,
  };
}

/** In the transaction that deletes the property. */
export async function freeDomains(trx: Database['kysely'], owner: Owner): Promise<void> {
  await trx
    .deleteFrom('tracking_domains')
    .where('attribution_id', '=', owner.id)
    .where('organization_id', '=', owner.organizationId)
    .execute();
}
