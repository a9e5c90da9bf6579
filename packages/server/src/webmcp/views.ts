/** From what the room knows to what the API answers. */
import type { z } from '@hono/zod-openapi';
import { rounded } from '../common/index.ts';
import type { Property } from '../properties/index.ts';
import type { PathFetches } from '../warehouse/index.ts';
import type { ManifestRow, VersionRow } from './current.ts';
import type { Draft } from './drafts.ts';
import type { VersionLine } from './history.ts';
import type { HostStatus } from './host-status.ts';
import type { Issuer } from './issuer.ts';
import type * as schemas from './schemas.ts';
import type { CheckedManifest } from './tools.ts';

const time = (at: number): string => new Date(at).toISOString();

export function stateView(
  attributionId: string,
  { manifest, draft, issuer }: { manifest: ManifestRow | null; draft: Draft | null; issuer: Issuer },
): z.infer<typeof schemas.stateSchema> {
  return {
    state: manifest === null ? 'unpublished' : 'published',
    hosts: manifest === null ? [] : JSON.parse(manifest.hosts),
    tools: manifest === null ? [] : JSON.parse(manifest.tools),
    draft:
      draft === null
        ? null
        : { hosts: [...draft.hosts], tools: [...draft.tools], updated_at: time(draft.updatedAt) },
    published:
      manifest === null
        ? null
        : {
            version: manifest.version,
            issued_at: time(manifest.issued_at),
            expires_at: time(manifest.expires_at),
            published_at: time(manifest.published_at),
            published_by: manifest.published_by,
            kid: manifest.kid,
            etag: manifest.etag,
            bytes: Buffer.byteLength(manifest.document),
          },
    manifest_url: issuer.manifestUrl(attributionId),
    jwks_url: issuer.jwksUrl(attributionId),
    issuer: issuer.origin,
    issuer_problem: issuer.problem,
  };
}

export function checkView({
  problems,
  tools,
  document,
}: CheckedManifest): z.infer<typeof schemas.checkAnswerSchema> {
  const bytes = document === null ? 0 : Buffer.byteLength(document);
  return { problems: [...problems], tools: [...tools], document, bytes };
}

export function versionLineView(line: VersionLine) {
  const { version, at, actor, action, kid, hosts, tool_count: tools } = line;
  return { version, at: time(at), actor, action, kid, hosts: JSON.parse(hosts) as unknown[], tools };
}

export function versionView(row: VersionRow): z.infer<typeof schemas.versionSchema> {
  return { ...versionLineView(row), tools: JSON.parse(row.tools) };
}

export function statusView({ checkedAt, ...status }: HostStatus) {
  return { ...status, checked_at: time(checkedAt) };
}

export function fetchesView(
  { timeZone }: Pick<Property, 'timeZone'>,
  { items, total, by_day }: PathFetches,
): z.infer<typeof schemas.fetchesSchema> {
  return {
    time_zone: timeZone,
    items: items.map((item) => ({ ...item, fetches: rounded(item.fetches), last_at: time(item.last_at) })),
    total: rounded(total),
    by_day: by_day.map(({ day, fetches }) => ({ day, fetches: rounded(fetches) })),
  };
}
