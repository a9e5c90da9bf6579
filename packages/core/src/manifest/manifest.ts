/** What a WebMCP manifest is: the tools that a site offers to agents, on which hosts, and until when. */
import type { JsonObject } from '../json.ts';

/** The version that we write; a verifier takes every 1.x. */
export const MANIFEST_VERSION = '1.0';

/** JWS header `typ`: a signature made for anything else is none for a manifest (RFC 8725 §3.11). */
export const MANIFEST_TYPE = 'webmcp-manifest+jws';

export const MANIFEST_LIMITS = {
  /** The whole document in canonical form. */
  bytes: 256 * 1024,
  /** Kept free for the `signature` member when a body is checked before it is signed. */
  signatureBytes: 1024,
  /** Arrays and objects inside one another, anywhere. */
  depth: 32,
  hosts: 100,
  tools: 50,
  /** In UTF-16 code units, as `String.length` counts. */
  title: 256,
  description: 1024,
  url: 2048,
  /** Of one schema, in canonical form; its depth counts the root as 1. */
  schemaBytes: 16 * 1024,
  schemaDepth: 10,
  /** Keys that a verifier looks at in a JWKS. */
  keys: 20,
} as const;

/** MCP's hints; none is a promise that an agent may rely on without trusting the issuer. */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
  /** Of W3C WebMCP: what the tool returns holds text of third parties. */
  readonly untrustedContentHint?: boolean;
}

/**
 * One tool, shaped like MCP's: a name and an input schema suffice. Without `page` and `endpoint` it is called on the root page of the first host;
 * our publisher writes that down.
 */
export interface ManifestTool {
  /** `^[A-Za-z0-9_.-]{1,128}$`, unique in its manifest. */
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** JSON Schema 2020-12, root `type: "object"`, local `$ref` only. */
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: ToolAnnotations;
  /** https URL on one of the manifest's hosts: the page that registers the tool. */
  readonly page?: string;
  /** https URL of an MCP server. */
  readonly endpoint?: string;
}

/** A manifest without its signature. Further members are allowed; they are signed like the others. */
export interface ManifestBody {
  readonly version: string;
  /** Lower-case UUID. */
  readonly attribution_id: string;
  /** Exact lower-case host names: they stop a manifest from being lifted to another site. */
  readonly hosts: readonly string[];
  /** RFC 3339 in UTC with whole seconds: `2026-11-21T03:00:00Z`. */
  readonly issued_at: string;
  readonly expires_at: string;
  readonly tools: readonly ManifestTool[];
}

/** Public half of a signing key as a JWKS publishes it. */
export interface PublicJwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  /** RFC 7638 thumbprint. */
  readonly kid: string;
  readonly alg: 'EdDSA';
  readonly use: 'sig';
}

/** Names that every model API takes; MCP allows more (dots, 128 characters), so others are worth a warning, never a refusal. */
export const isPortableToolName = (name: string): boolean => /^[A-Za-z0-9_-]{1,64}$/.test(name);
