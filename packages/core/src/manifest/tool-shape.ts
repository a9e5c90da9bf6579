/** Rules of one tool. */
import { isJsonObject } from '../json.ts';
import type { Path, Report } from '../problems.ts';
import { MANIFEST_LIMITS } from './manifest.ts';
import { checkSchema } from './schema-shape.ts';

const TOOL_NAME = /^[A-Za-z0-9_.-]{1,128}$/;

const HINTS = [
  'readOnlyHint',
  'destructiveHint',
  'idempotentHint',
  'openWorldHint',
  'untrustedContentHint',
] as const;

/** @param hosts of the manifest, on one of which `page` must lie */
export function checkTool(tool: unknown, hosts: ReadonlySet<unknown>, path: Path, report: Report): void {
  if (!isJsonObject(tool)) {
    report(path, 'Must be an object.');
    return;
  }
  const name = tool['name'];
  if (typeof name !== 'string' || !TOOL_NAME.test(name))
    report([...path, 'name'], 'Must be 1 to 128 letters, digits, "_", "." and "-".');
  checkTitle(tool['title'], [...path, 'title'], report);
  const description = tool['description'];
  if (description !== undefined && (typeof description !== 'string' || description.trim() === ''))
    report([...path, 'description'], 'Must say what the tool does, or be absent; agents choose by it.');
  else if (typeof description === 'string' && description.length > MANIFEST_LIMITS.description)
    report([...path, 'description'], `Must have at most ${MANIFEST_LIMITS.description} characters.`);
  checkSchema(tool['inputSchema'], [...path, 'inputSchema'], report);
  if (tool['outputSchema'] !== undefined)
    checkSchema(tool['outputSchema'], [...path, 'outputSchema'], report);
  checkAnnotations(tool['annotations'], [...path, 'annotations'], report);
  checkPlace(tool, hosts, path, report);
}

function checkTitle(title: unknown, path: Path, report: Report): void {
  if (title === undefined) return;
  if (typeof title !== 'string' || title.trim() === '' || title.length > MANIFEST_LIMITS.title)
    report(path, `Must be a text of 1 to ${MANIFEST_LIMITS.title} characters, or absent.`);
}

function checkAnnotations(annotations: unknown, path: Path, report: Report): void {
  if (annotations === undefined) return;
  if (!isJsonObject(annotations)) {
    report(path, 'Must be an object, or absent.');
    return;
  }
  checkTitle(annotations['title'], [...path, 'title'], report);
  for (const hint of HINTS) {
    const value = annotations[hint];
    if (value !== undefined && typeof value !== 'boolean')
      report([...path, hint], 'Must be true or false, or absent.');
  }
}

function checkPlace(
  tool: Record<string, unknown>,
  hosts: ReadonlySet<unknown>,
  path: Path,
  report: Report,
): void {
  const { page, endpoint } = tool;
  if (page !== undefined) {
    const url = secureUrl(page);
    if (url === null) report([...path, 'page'], 'Must be an https URL without credentials.');
    else if (!hosts.has(url.hostname)) report([...path, 'page'], 'Must be on one of the manifest’s hosts.');
  }
  if (endpoint !== undefined && secureUrl(endpoint) === null)
    report([...path, 'endpoint'], 'Must be the https URL of an MCP server, without credentials.');
}

function secureUrl(value: unknown): URL | null {
  if (typeof value !== 'string' || value.length > MANIFEST_LIMITS.url) return null;
  const url = URL.parse(value);
  return url?.protocol === 'https:' && url.username === '' && url.password === '' ? url : null;
}
