/** What the routes take and answer. */
import { z } from '@hono/zod-openapi';
import { boundedJson } from './bounded-json.ts';
import { MAX_DRAFT_BYTES } from './drafts.ts';
import { HOST_STATES, RECORD_STATES } from './host-status.ts';

const anything = (description: string) => z.array(z.unknown()).openapi({ description });
const declaration = {
  hosts: anything('Exact host names: the domain of the property, or below it'),
  tools: anything('MCP tools; inputSchema may be the short form {"sku": "string"}'),
};

/** A body that is looked into only after its depth and its size are known. */
const bounded = <T extends z.ZodType>(schema: T, maxBytes: number) => boundedJson(maxBytes).pipe(schema);
/** A manifest is smaller; a wrong one may be a little larger. */
const MAX_DECLARATION_BYTES = 512 * 1024;

export const declarationSchema = bounded(
  z.object(declaration).openapi('ManifestDeclaration'),
  MAX_DECLARATION_BYTES,
);
export const publishSchema = bounded(
  z
    .object({
      ...declaration,
      version: z.number().int().min(0).nullish().openapi({
        description: 'The version that the edit began with, 0 for none; another one in between is a 409',
      }),
    })
    .openapi('ManifestPublication'),
  MAX_DECLARATION_BYTES,
);
export const draftSchema = bounded(z.object(declaration).openapi('ManifestDraft'), MAX_DRAFT_BYTES);
export const trySchema = bounded(
  z
    .object({
      tool: z.record(z.string(), z.unknown()).openapi({ description: 'A tool, published or not' }),
      arguments: z.unknown(),
    })
    .openapi('ToolTry'),
  MAX_DECLARATION_BYTES,
);

export const stateSchema = z
  .object({
    state: z.enum(['unpublished', 'published']),
    hosts: z.array(z.string()).openapi({ description: 'Those of the published manifest' }),
    tools: declaration.tools,
    draft: z.object({ ...declaration, updated_at: z.iso.datetime() }).nullable(),
    published: z
      .object({
        version: z.number().int(),
        issued_at: z.iso.datetime(),
        expires_at: z.iso.datetime(),
        published_at: z.iso.datetime(),
        published_by: z.string(),
        kid: z.string(),
        etag: z.string(),
        bytes: z.number().int(),
      })
      .nullable(),
    manifest_url: z.string(),
    jwks_url: z.string(),
    issuer: z.string(),
    issuer_problem: z.string().nullable().openapi({ description: 'Why publishing is impossible' }),
  })
  .openapi('Manifest');
export const checkAnswerSchema = z
  .object({
    problems: z.array(
      z.object({ pointer: z.string(), message: z.string(), severity: z.enum(['error', 'warning']) }),
    ),
    tools: anything('With short forms expanded'),
    document: z.string().nullable().openapi({ description: 'The canonical text that would be signed' }),
    bytes: z.number().int(),
  })
  .openapi('ManifestCheck');
export const tryAnswerSchema = z
  .object({ valid: z.boolean(), errors: z.array(z.object({ pointer: z.string(), message: z.string() })) })
  .openapi('ToolTryAnswer');
const change = {
  version: z.number().int(),
  at: z.iso.datetime(),
  actor: z.string(),
  action: z.enum(['published', 'rotated', 'unpublished']),
  kid: z.string().nullable(),
};
export const versionsSchema = z
  .object({
    items: z.array(z.object({ ...change, hosts: z.array(z.unknown()), tools: z.number().int() })),
  })
  .openapi('ManifestVersions');
export const versionSchema = z.object({ ...change, ...declaration }).openapi('ManifestVersion');
export const statusSchema = z
  .object({
    items: z.array(
      z.object({
        host: z.string(),
        url: z.string(),
        state: z.enum(HOST_STATES),
        detail: z.string(),
        kid: z.string().nullable(),
        cache: z.string().nullable(),
        record: z.enum(RECORD_STATES).openapi({
          description:
            'Whether a TXT record at _webmcp.<host> names this service as the issuer; not_checked: the name servers gave no answer',
        }),
        checked_at: z.iso.datetime(),
      }),
    ),
  })
  .openapi('ManifestHosts');
export const fetchesSchema = z
  .object({
    items: z.array(
      z.object({
        agent: z.string(),
        class: z.string(),
        verified: z.boolean().nullable(),
        fetches: z.number(),
        last_at: z.iso.datetime(),
      }),
    ),
    total: z.number(),
    time_zone: z.string().openapi({ description: 'The property’s time zone, which defines its days' }),
    by_day: z.array(z.object({ day: z.string(), fetches: z.number() })),
  })
  .openapi('ManifestFetches');
