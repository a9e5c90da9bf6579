/** Every rule of a manifest's body that needs no JSON Schema engine. Publisher and verifier use the same. */

import { isJsonObject, quote, utf8Length } from '../json.ts';
import { createProblems, type Problem, type Report } from '../problems.ts';
import { canonicalize } from './canonical.ts';
import { MANIFEST_LIMITS } from './manifest.ts';
import { checkProfile } from './profile.ts';
import { checkTool } from './tool-shape.ts';

const VERSION = /^1\.(?:0|[1-9][0-9]{0,3})$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const HOST = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;

/**
 * @param value a body without `signature`, from an untrusted sender
 * @returns what is wrong, the first 20; empty for a `ManifestBody`
 */
export function checkManifestBody(value: unknown): readonly Problem[] {
  const { problems, report } = createProblems();
  if (!isJsonObject(value)) {
    report([], 'Must be an object.');
    return problems;
  }
  checkProfile(value, [], report);
  // The other rules measure canonical forms, which only a value within the profile has.
  if (problems.length > 0) return problems;

  if (Object.hasOwn(value, 'signature')) report(['signature'], 'Is added by signing.');
  if (!isManifestVersion(value['version'])) report(['version'], 'Must be "1.0".');
  const { attribution_id: id, tools } = value;
  if (typeof id !== 'string' || !UUID.test(id)) report(['attribution_id'], 'Must be a UUID in lower case.');
  checkTimes(value['issued_at'], value['expires_at'], report);
  checkTools(tools, checkHosts(value['hosts'], report), report);
  if (utf8Length(canonicalize(value)) > MANIFEST_LIMITS.bytes - MANIFEST_LIMITS.signatureBytes)
    report([], `Must be at most ${MANIFEST_LIMITS.bytes / 1024} KiB with its signature.`);
  return problems;
}

/** Every 1.x: a minor version only adds members, which are signed like the others. */
export const isManifestVersion = (version: unknown): boolean =>
  typeof version === 'string' && VERSION.test(version);

/**
 * @param text RFC 3339 in UTC with whole seconds
 * @returns epoch milliseconds, or null for every other form and for a day that is none
 */
export function parseManifestTime(text: unknown): number | null {
  if (typeof text !== 'string' || !/^[0-9]{4}(?:-[0-9]{2}){2}T(?:[0-9]{2}:){2}[0-9]{2}Z$/.test(text))
    return null;
  const at = Date.parse(text);
  // Date.parse rolls the 30th of February over to March.
  return Number.isFinite(at) && formatManifestTime(at) === text ? at : null;
}

/** @param at epoch milliseconds; fractions of a second are cut */
export const formatManifestTime = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;

function checkTimes(issued: unknown, expires: unknown, report: Report): void {
  const from = parseManifestTime(issued);
  const until = parseManifestTime(expires);
  if (from === null) report(['issued_at'], 'Must be a UTC time like 2026-11-21T03:00:00Z.');
  if (until === null) report(['expires_at'], 'Must be a UTC time like 2026-11-22T03:00:00Z.');
  if (from !== null && until !== null && until <= from)
    report(['expires_at'], 'Must be later than issued_at.');
}

function checkHosts(hosts: unknown, report: Report): ReadonlySet<unknown> {
  if (!Array.isArray(hosts) || hosts.length === 0 || hosts.length > MANIFEST_LIMITS.hosts) {
    report(['hosts'], `Must name 1 to ${MANIFEST_LIMITS.hosts} hosts.`);
    return new Set();
  }
  const seen = new Set<unknown>();
  for (const [index, host] of hosts.entries()) {
    if (typeof host !== 'string' || !HOST.test(host))
      report(['hosts', index], 'Must be one exact host name in lower case, without wildcard, port or path.');
    else if (seen.has(host)) report(['hosts', index], `${quote(host)} is listed twice.`);
    seen.add(host);
  }
  return seen;
}

function checkTools(tools: unknown, hosts: ReadonlySet<unknown>, report: Report): void {
  if (!Array.isArray(tools) || tools.length > MANIFEST_LIMITS.tools) {
    report(['tools'], `Must be a list of at most ${MANIFEST_LIMITS.tools} tools.`);
    return;
  }
  const names = new Set<string>();
  for (const [index, tool] of tools.entries()) {
    const path = ['tools', index];
    checkTool(tool, hosts, path, report);
    const name: unknown = isJsonObject(tool) ? tool['name'] : undefined;
    if (typeof name !== 'string') continue;
    if (names.has(name)) report([...path, 'name'], `${quote(name)} is the name of two tools.`);
    names.add(name);
  }
}
