/** Everything that is looked at before a manifest is signed: the format's own rules, then what only a service can know. */
import { setImmediate as breathe } from 'node:timers/promises';
import {
  canonicalize,
  checkManifestBody,
  expandShortForm,
  formatManifestTime,
  isObject,
  isPortableToolName,
  MANIFEST_LIMITS,
  MANIFEST_VERSION,
  type ManifestBody,
} from '@ghostlight/core';
import { DAY_MS } from '@ghostlight/core/time';
import { normalizeDomain, type Property } from '../properties/index.ts';
import { isDeeperThan } from './bounded-json.ts';
import { error, type ManifestProblem, token, warning } from './problem.ts';
import type { SchemaCheck } from './schema-check.ts';
import type { SchemaObject } from './schema-walk.ts';
import { threadMs } from './watchdog.ts';

/** From signing to expiry. Edges and browsers keep a copy for an hour each, so ten hours of it always remain. */
export const VALIDITY_MS = DAY_MS;
/** CPU time for all schemas of one request; each takes milliseconds, unless it was written to take long. */
const BUDGET_MS = 2_000;
const MAX_PROBLEMS = 100;

/** What the editor sends. Nothing about it is known but its depth. */
export interface Declaration {
  readonly hosts: readonly unknown[];
  readonly tools: readonly unknown[];
}

export interface CheckedManifest {
  readonly problems: readonly ManifestProblem[];
  /** With host names in their plain form and short forms expanded. */
  readonly hosts: readonly unknown[];
  readonly tools: readonly unknown[];
  /** What would be signed; null while there is an error. */
  readonly body: ManifestBody | null;
  /** Its canonical text; null when it has none. */
  readonly document: string | null;
}

/** Never throws for what was sent. @param at epoch milliseconds, the time of issue */
export async function checkDeclaration(
  sent: Declaration,
  property: Pick<Property, 'id' | 'domain'>,
  at: number,
  checkSchema: SchemaCheck,
): Promise<CheckedManifest> {
  const hosts = sent.hosts.map((host) => (typeof host === 'string' ? (normalizeDomain(host) ?? host) : host));
  const tools = sent.tools.map((tool) => expanded(tool, hosts[0]));
  const body = unsigned(property.id, hosts, tools, at);
  const ruleProblems = checkManifestBody(body).map(({ pointer, message }) => error(pointer, message));
  const found = [
    ...ruleProblems,
    ...hosts.flatMap((host, index) => foreignHost(host, property.domain, `/hosts/${index}`)),
    ...(await schemaProblems(tools, ruleProblems, checkSchema)),
    ...sent.tools.flatMap((tool, index) => advice(tool, `/tools${token(index)}`)),
  ];
  // Errors first: no number of warnings may hide one.
  const { error: errors = [], warning: warnings = [] } = Object.groupBy(found, ({ severity }) => severity);
  return {
    problems: [...errors, ...warnings].slice(0, MAX_PROBLEMS),
    hosts,
    tools,
    body: errors.length === 0 ? (body as ManifestBody) : null,
    document: canonicalOrNull(body),
  };
}

/** The body of a manifest that is valid from `at` on. */
export function unsigned(
  attributionId: string,
  hosts: readonly unknown[],
  tools: readonly unknown[],
  at: number,
) {
  return {
    version: MANIFEST_VERSION,
    attribution_id: attributionId,
    hosts,
    issued_at: formatManifestTime(at),
    expires_at: formatManifestTime(at + VALIDITY_MS),
    tools,
  };
}

/** The short form becomes a schema, an empty description goes, and a tool that does not say where it is called gets the first host's root page. */
function expanded(tool: unknown, host: unknown): unknown {
  if (!isObject(tool)) return tool;
  const { description, ...rest } = tool;
  const inputSchema = expandShortForm(tool['inputSchema']);
  const hasPlace = tool['page'] !== undefined || tool['endpoint'] !== undefined;
  return {
    ...(description === '' || description === undefined ? rest : tool),
    ...(inputSchema === null ? {} : { inputSchema }),
    ...(hasPlace || typeof host !== 'string' ? {} : { page: `https://${host}/` }),
  };
}

/** Otherwise the publisher for a property could speak for any site. */
function foreignHost(host: unknown, domain: string, pointer: string): ManifestProblem[] {
  if (typeof host !== 'string' || host === domain || host.endsWith(`.${domain}`)) return [];
  return [
    error(
      pointer,
      `Enter ${domain} or one of its subdomains: other hosts don’t belong to this property. You can change its domain in Settings.`,
    ),
  ];
}

async function schemaProblems(
  tools: readonly unknown[],
  known: readonly ManifestProblem[],
  checkSchema: SchemaCheck,
): Promise<ManifestProblem[]> {
  const problems: ManifestProblem[] = [];
  const end = threadMs() + BUDGET_MS;
  for (const { schema, pointer } of schemasOf(tools)) {
    // Its size and depth are the compiler's bounds: what breaks a rule of the format goes no further.
    if (!isBounded(schema) || known.some((problem) => concerns(problem.pointer, pointer))) continue;
    problems.push(...(await checkSchema(schema, pointer, end)));
    // Ingest runs on this thread too.
    await breathe();
  }
  return problems;
}

function* schemasOf(tools: readonly unknown[]): Generator<{ schema: SchemaObject; pointer: string }> {
  for (const [index, tool] of tools.entries()) {
    if (!isObject(tool)) continue;
    for (const name of ['inputSchema', 'outputSchema'] as const) {
      const schema = tool[name];
      if (isObject(schema)) yield { schema, pointer: `/tools/${index}/${name}` };
    }
  }
}

/** The rules say so with a sentence; but they stop at twenty, and earlier for a value that is no JSON. */
const isBounded = (schema: SchemaObject): boolean =>
  !isDeeperThan(MANIFEST_LIMITS.schemaDepth, schema) &&
  JSON.stringify(schema).length <= MANIFEST_LIMITS.schemaBytes;

/** Whether a problem lies in a schema, or in everything. */
const concerns = (problem: string, schema: string): boolean =>
  problem === '' || problem === '/tools' || problem === schema || problem.startsWith(`${schema}/`);

function advice(tool: unknown, pointer: string): ManifestProblem[] {
  if (!isObject(tool)) return [];
  const { name, inputSchema } = tool;
  const long =
    typeof name === 'string' && !isPortableToolName(name)
      ? [
          warning(
            `${pointer}/name`,
            'Some model APIs accept only letters, digits, "_" and "-", at most 64, so their agents rename this tool.',
          ),
        ]
      : [];
  const undescribed =
    tool['description'] === undefined || tool['description'] === ''
      ? [warning(`${pointer}/description`, 'Say what the tool does; agents choose by it.')]
      : [];
  const unplaced =
    tool['page'] === undefined && tool['endpoint'] === undefined
      ? [
          warning(
            `${pointer}/page`,
            'Without a page or an MCP server, agents look for this tool on the first host’s home page.',
          ),
        ]
      : [];
  const properties = isObject(inputSchema) ? inputSchema['properties'] : undefined;
  const silent = Object.entries(isObject(properties) ? properties : {}).filter(
    ([, schema]) => isObject(schema) && schema['description'] === undefined,
  );
  return [
    ...long,
    ...undescribed,
    ...unplaced,
    ...silent.map(([property]) =>
      warning(
        `${pointer}/inputSchema/properties${token(property)}`,
        'Use "description" to say what belongs here; agents have nothing else to go by.',
      ),
    ),
  ];
}

function canonicalOrNull(body: unknown): string | null {
  try {
    return canonicalize(body);
  } catch {
    return null;
  }
}
