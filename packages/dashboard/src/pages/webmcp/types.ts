/** What the management API answers about a property's signed WebMCP manifest. Times are ISO 8601. */

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

export interface Publication {
  readonly version: number;
  readonly issued_at: string;
  readonly expires_at: string;
  readonly published_at: string;
  readonly published_by: string | null;
  /** RFC 7638 thumbprint of the signing key. */
  readonly kid: string;
  readonly etag: string;
  readonly bytes: number;
}

export interface WebmcpState extends Declaration {
  readonly state: 'unpublished' | 'published';
  readonly draft: (Declaration & { readonly updated_at: string }) | null;
  readonly published: Publication | null;
  readonly manifest_url: string;
  readonly jwks_url: string;
  readonly issuer: string;
  /** Why nothing can be published under this issuer; null when it can. */
  readonly issuer_problem: string | null;
}

export interface Problem {
  readonly pointer: string;
  readonly message: string;
  readonly severity: 'error' | 'warning';
}

export interface CheckAnswer {
  readonly problems: readonly Problem[];
  /** The canonical text that would be signed; null or empty when it can't be written. */
  readonly document: string | null;
  readonly bytes: number;
}

export interface TryAnswer {
  readonly valid: boolean;
  readonly errors: readonly { readonly pointer: string; readonly message: string }[];
}

export interface HistoryEntry {
  readonly version: number;
  readonly at: string;
  readonly actor: string | null;
  readonly action: 'published' | 'rotated' | 'unpublished';
  readonly hosts: readonly string[];
  /** How many tools it declared. */
  readonly tools: number;
  readonly kid: string | null;
}

export type HostState =
  | 'current'
  | 'outdated'
  | 'invalid'
  | 'not_served'
  | 'not_json'
  | 'unreachable'
  | 'private_address';

export interface HostStatus {
  readonly host: string;
  readonly url: string;
  readonly state: HostState;
  readonly detail: string;
  readonly kid: string | null;
  /** Where the zone's collector took the copy from, in its own words; null when it doesn't say. */
  readonly cache: string | null;
  readonly checked_at: string;
}

export interface AgentFetches {
  readonly agent: string;
  readonly class: string;
  readonly verified: boolean | null;
  readonly fetches: number;
  readonly last_at: string;
}

export interface Fetches {
  readonly items: readonly AgentFetches[];
  readonly total: number;
  /** IANA name: whose days these are. */
  readonly time_zone: string;
  /** Every day, oldest first, until today. */
  readonly by_day: readonly { readonly day: string; readonly fetches: number }[];
}
