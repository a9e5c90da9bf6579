/** Publishing, rotating, withdrawing and renewing a property's manifest. Every change is one transaction; signing is done before it. */
import { createHash } from 'node:crypto';
import type { ManifestBody } from '@ghostlight/core';
import { HOUR_MS } from '@ghostlight/core/time';
import { type Caller, type Clock, type Log, ServiceError } from '../common/index.ts';
import type { Database, SecretCipher } from '../database/index.ts';
import type { Owner } from '../properties/index.ts';
import {
  type Current,
  commit,
  type ManifestRow,
  type Next,
  readCurrent,
  type VersionRow,
} from './current.ts';
import { assertIssuer, type Issuer } from './issuer.ts';
import { type KeyRow, newKey, rotateSecrets, signWith } from './signing-keys.ts';
import { unsigned } from './tools.ts';
import { createTurns } from './turns.ts';

/** Signed again when less than this remains. */
export const RENEW_BELOW_MS = 12 * HOUR_MS;
/** Changes of other nodes that may come in between; more than one is rare. */
const ATTEMPTS = 5;

export interface PublicationsOptions {
  readonly database: Database;
  readonly cipher: SecretCipher;
  readonly issuer: () => Issuer;
  readonly clock: Clock;
  readonly log: Log;
  /** A property whose document or key has changed on this node. */
  readonly onChange: (attributionId: string) => void;
}

export interface Publications {
  /**
   * @param publish.content checked
   * @param publish.version the publication that the edit began with, 0 for none; null: whatever is published is replaced
   * @throws ServiceError `conflict` when another version was published since, `invalid` for an issuer that no agent accepts
   */
  publish(
    owner: Owner,
    actor: Caller['actor'],
    publish: { content: Pick<ManifestBody, 'hosts' | 'tools'>; version: number | null },
  ): Promise<void>;
  /** A new key, the old one gone, what is published signed with the new one: earlier copies no longer verify. */
  rotate(owner: Owner, actor: Caller['actor']): Promise<void>;
  /** Nothing is served any longer; the key stays. Without effect where nothing is published. */
  unpublish(owner: Owner, actor: Caller['actor']): Promise<void>;
  /** Signs again where less than 12 h remain, or where the keys have got another address. Nothing else changes. */
  renew(owner: Owner): Promise<void>;
}

export function createPublications(options: PublicationsOptions): Publications {
  const { database, cipher, issuer, clock, log, onChange } = options;
  const turns = createTurns();

  /** @param decide null: there is nothing to do */
  const change = (owner: Owner, decide: (standing: Current) => Promise<Next | null>): Promise<void> =>
    turns(owner.id, async () => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const standing = await readCurrent(database.reader, owner);
        const next = await decide(standing);
        if (next === null) return;
        if (!(await commit(database, owner, standing, next))) continue;
        onChange(owner.id);
        return;
      }
      throw new ServiceError(
        'unavailable',
        'Others are changing this manifest at the same time; try again.',
        {
          headers: { 'Retry-After': '1' },
        },
      );
    });

  /**
   * A command or a node that was started without APP_BASE_URL would otherwise sign for its own loopback address what agents look up at
   * the service's.
   */
  const issuerFor = (manifest: ManifestRow | null): Issuer => {
    const here = issuer();
    if (!manifest?.jku.startsWith('https:') || here.origin.startsWith('https:')) return here;
    const problem = `The manifest is published under ${new URL(manifest.jku).origin}, and APP_BASE_URL is ${here.origin} here. Set it as the service has it, or withdraw the manifest first.`;
    return { ...here, problem };
  };

  const signed = async (key: KeyRow, body: ManifestBody) => {
    const jku = issuer().jwksUrl(body.attribution_id);
    const document = await signWith(key, body, jku, cipher);
    await rotateSecrets(database, key, cipher);
    return {
      document,
      etag: `"${createHash('sha256').update(document).digest('base64url').slice(0, 32)}"`,
      kid: key.kid,
      jku,
      issued_at: Date.parse(body.issued_at),
      expires_at: Date.parse(body.expires_at),
    };
  };

  /** The same publication from now on, under the given key. */
  const again = async (row: ManifestRow, key: KeyRow): Promise<ManifestRow> => {
    const hosts = JSON.parse(row.hosts) as string[];
    const body = unsigned(row.attribution_id, hosts, JSON.parse(row.tools), clock());
    return { ...row, ...(await signed(key, body as ManifestBody)) };
  };

  return {
    publish: (owner, actor, { content, version }) =>
      change(owner, async ({ key: standingKey, manifest, lastVersion }) => {
        assertIssuer(issuerFor(manifest));
        if (version !== null && version !== (manifest?.version ?? 0)) throw outdated(manifest);
        const at = clock();
        const key = standingKey ?? (await newKey(owner, cipher, at));
        const body = unsigned(owner.id, content.hosts, content.tools, at) as ManifestBody;
        const [hosts, tools] = [JSON.stringify(body.hosts), JSON.stringify(body.tools)];
        return {
          key,
          manifest: {
            attribution_id: owner.id,
            organization_id: owner.organizationId,
            version: lastVersion + 1,
            ...(await signed(key, body)),
            hosts,
            tools,
            published_at: at,
            published_by: actor,
          },
          change: { action: 'published', actor, at, hosts, tools, tool_count: body.tools.length },
        };
      }),
    rotate: (owner, actor) =>
      change(owner, async ({ manifest }) => {
        if (manifest !== null) assertIssuer(issuerFor(manifest));
        const at = clock();
        const key = await newKey(owner, cipher, at);
        return {
          key,
          manifest: manifest === null ? null : await again(manifest, key),
          change: { action: 'rotated', actor, at, ...contentOf(manifest) },
        };
      }),
    unpublish: (owner, actor) =>
      change(owner, async ({ key, manifest }) =>
        key === null || manifest === null
          ? null
          : {
              key,
              manifest: null,
              change: { action: 'unpublished', actor, at: clock(), ...contentOf(manifest) },
            },
      ),
    renew: (owner) =>
      change(owner, async ({ key, manifest }) => {
        if (key === null || manifest === null) return null;
        const { problem, jwksUrl } = issuerFor(manifest);
        if (manifest.expires_at - clock() >= RENEW_BELOW_MS && manifest.jku === jwksUrl(owner.id))
          return null;
        if (problem !== null) {
          log.warn({ attributionId: owner.id, problem }, 'a published manifest could not be signed again');
          return null;
        }
        return { key, manifest: await again(manifest, key), change: null };
      }),
  };
}

function contentOf(manifest: ManifestRow | null): Pick<VersionRow, 'hosts' | 'tools' | 'tool_count'> {
  if (manifest === null) return { hosts: '[]', tools: '[]', tool_count: 0 };
  const { hosts, tools } = manifest;
  return { hosts, tools, tool_count: (JSON.parse(tools) as unknown[]).length };
}

function outdated(manifest: ManifestRow | null): ServiceError {
  return new ServiceError(
    'conflict',
    manifest === null
      ? 'The manifest has been unpublished since you started. Reload it; your draft is kept.'
      : `${manifest.published_by} published version ${manifest.version} since you started. Reload it; your draft is kept.`,
  );
}
