/** The editable part of a signed WebMCP manifest, and the types of its API. */
import type { Answer } from '../../api/client.ts';
import type { Manifest, ManifestCheck } from '../../api/schema.gen.ts';

export type {
  Manifest as WebmcpState,
  ManifestCheck as CheckAnswer,
  ManifestFetches as Fetches,
  ToolTryAnswer as TryAnswer,
} from '../../api/schema.gen.ts';

/** A JSON object with all its members, including those without a control. */
export type JsonObject = { readonly [name: string]: unknown };

export const HINTS = [
  'readOnlyHint',
  'destructiveHint',
  'idempotentHint',
  'openWorldHint',
  'untrustedContentHint',
] as const;
export type Hint = (typeof HINTS)[number];

export interface Tool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  /** JSON Schema 2020-12 with root `object`. In a draft it may be a string: invalid JSON text. */
  readonly inputSchema: unknown;
  readonly annotations?: { readonly [hint in Hint]?: boolean };
  /** https URL, on a listed host, of the page that registers the tool. */
  readonly page?: string;
  /** URL of an MCP server. */
  readonly endpoint?: string;
}

/** The content of the editor and of a publication. */
export interface Declaration {
  readonly hosts: readonly string[];
  readonly tools: readonly Tool[];
}

export type Publication = NonNullable<Manifest['published']>;
export type Problem = ManifestCheck['problems'][number];
export type HistoryEntry = Answer<'GET /api/v1/properties/{id}/webmcp/versions'>['items'][number];
export type HostStatus = Answer<'POST /api/v1/properties/{id}/webmcp/status'>['items'][number];
export type HostState = HostStatus['state'];
export type AgentFetches = Answer<'GET /api/v1/properties/{id}/webmcp/fetches'>['items'][number];
