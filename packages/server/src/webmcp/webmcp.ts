/** The room: what a property publishes to agents, and how it is checked, signed, kept and looked at. */

import { type Caller, type Clock, counted, type Log, ServiceError } from '../common/index.ts';
import type { Database, SecretCipher } from '../database/index.ts';
import type { Download } from '../outbound/index.ts';
import type { Property } from '../properties/index.ts';
import { type ManifestRow, readCurrent, type VersionRow } from './current.ts';
import { createDocuments, type Documents } from './documents.ts';
import { createDrafts, type Draft, type Drafts } from './drafts.ts';
import { findVersion, listVersions, type VersionLine } from './history.ts';
import { type HostStatus, hostStatuses, type RecordLookup } from './host-status.ts';
import { assertIssuer, type Issuer, issuerOf } from './issuer.ts';
import { createPatternCheck } from './pattern-check.ts';
import { createPublications, type Publications } from './publications.ts';
import { createSchemaCheck } from './schema-check.ts';
import type { SchemaObject } from './schema-walk.ts';
import { type CheckedManifest, checkDeclaration, type Declaration } from './tools.ts';
import { type TryAnswer, tryTool } from './try-tool.ts';
import { upkeep } from './upkeep.ts';
import { createWatchdog } from './watchdog.ts';

export interface WebmcpOptions {
  readonly database: Database;
  readonly cipher: SecretCipher;
  readonly download: Download;
  /** Asks for the TXT records that name issuers. */
  readonly lookup: RecordLookup;
  /** {app_base_url}, without a trailing slash; known once the service listens. */
  readonly appBaseUrl: () => string;
  readonly clock: Clock;
  readonly log: Log;
}

/** Every function that takes a property trusts the caller to have got it for the scope: `properties.get(scope, id)`. */
export interface Webmcp {
  readonly documents: Pick<Documents, 'manifest' | 'jwks'>;
  readonly drafts: Pick<Drafts, 'save' | 'discard'>;
  issuer(): Issuer;
  state(property: Property): Promise<{ manifest: ManifestRow | null; draft: Draft | null }>;
  /** null: there is no manifest. */
  published(property: Property): Promise<{
    readonly hosts: readonly string[];
    /** Epoch milliseconds. */
    readonly publishedAt: number;
  } | null>;
  /** Looks at everything and changes nothing. */
  check(property: Property, declaration: Declaration): Promise<CheckedManifest>;
  /** @throws ServiceError `invalid` with every error, `conflict` */
  publish(
    property: Property,
    actor: Caller['actor'],
    declaration: Declaration & { version: number | null },
  ): Promise<void>;
  readonly unpublish: Publications['unpublish'];
  readonly rotate: Publications['rotate'];
  tryTool(property: Property, tool: SchemaObject, args: unknown): Promise<TryAnswer>;
  /** Asks every host. @throws ServiceError `rate_limited` within 10 s of the last time on this node */
  status(property: Property): Promise<HostStatus[]>;
  versions(property: Property, before?: number): Promise<VersionLine[]>;
  version(property: Property, version: number): Promise<VersionRow | null>;
  /** The hourly job. */
  upkeep(): Promise<void>;
}

const STATUS_EVERY_MS = 10_000;
const MAX_STATUS_REMEMBERED = 10_000;

export function createWebmcp(options: WebmcpOptions): Webmcp {
  const { database, clock, log, download, lookup } = options;
  const issuer = () => issuerOf(options.appBaseUrl());
  const watchdog = createWatchdog();
  const checkSchema = createSchemaCheck({ watchdog, checkPattern: createPatternCheck(watchdog) });
  const publications: Publications = createPublications({
    ...options,
    issuer,
    onChange: (id) => documents.forget(id),
  });
  const documents = createDocuments({ database, publications, clock, log });
  const drafts = createDrafts(database, { clock });
  const statusAt = new Map<string, number>();

  return {
    documents,
    drafts,
    issuer,
    async state(property) {
      const { manifest } = await readCurrent(database.reader, property);
      return { manifest, draft: await drafts.get(property) };
    },
    async published(property) {
      const { manifest } = await readCurrent(database.reader, property);
      return manifest === null
        ? null
        : { hosts: JSON.parse(manifest.hosts) as string[], publishedAt: manifest.published_at };
    },
    check: (property, declaration) => checkDeclaration(declaration, property, clock(), checkSchema),
    async publish(property, actor, declaration) {
      assertIssuer(issuer());
      const { problems, body } = await checkDeclaration(declaration, property, clock(), checkSchema);
      if (body === null) {
        const errors = problems.filter(({ severity }) => severity === 'error');
        throw new ServiceError(
          'invalid',
          `The manifest has ${counted(errors.length, ['error', 'errors'])}; nothing was published.`,
          {
            errors: errors.map(({ pointer, message }) => ({ pointer, message })),
          },
        );
      }
      await publications.publish(property, actor, { content: body, version: declaration.version });
    },
    unpublish: publications.unpublish,
    rotate: publications.rotate,
    tryTool: (property, tool, args) => tryTool(tool, args, property, { checkSchema, watchdog }),
    async status(property) {
      const now = clock();
      const wait = (statusAt.get(property.id) ?? 0) + STATUS_EVERY_MS - now;
      if (wait > 0)
        throw new ServiceError('rate_limited', 'The hosts were checked a moment ago; try again shortly.', {
          headers: { 'Retry-After': String(Math.ceil(wait / 1_000)) },
        });
      if (statusAt.size >= MAX_STATUS_REMEMBERED) statusAt.clear();
      statusAt.set(property.id, now);
      const { manifest } = await readCurrent(database.reader, property);
      const hosts = manifest === null ? [property.domain] : (JSON.parse(manifest.hosts) as string[]);
      const { origin, jwksUrl } = issuer();
      const jwks = await documents.jwks(property.id);
      const expected = {
        manifest,
        jwks: jwks?.text ?? null,
        jwksUrl: jwksUrl(property.id),
        issuer: origin,
      };
      return await hostStatuses(hosts, expected, { download, lookup, clock });
    },
    versions: (property, before) => listVersions(database, property, before),
    version: (property, version) => findVersion(database, property, version),
    upkeep: () => upkeep({ ...options, issuer, publications }),
  };
}
