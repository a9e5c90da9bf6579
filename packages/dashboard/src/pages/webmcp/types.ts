/** What a person edits of a signed WebMCP manifest, and the types of its API. */
import type { Answer } from '../../api/client.ts';
import type { Manifest, ManifestCheck } from '../../api/schema.gen.ts';

export type {
  Manifest as WebmcpState,
  ManifestCheck as CheckAnswer,
  ManifestFetches as Fetches,
  ToolTryAnswer as TryAnswer,
} from '../../api/schema.gen.ts';

/** A JSON object as it was written: members that the editor has no control for are kept. */
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
  /** JSON Schema 2020-12 with root `object`. In a draft it may be a string: text that is no JSON yet. */
  readonly inputSchema: unknown;
  readonly annotations?: { readonly [hint in Hint]?: boolean };
  /** https address, on a listed host, of the page that registers the tool. */
  readonly page?: string;
  /** Address of an MCP server. */
  readonly endpoint?: string;
}

/** What a person edits, and what is published. */
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
