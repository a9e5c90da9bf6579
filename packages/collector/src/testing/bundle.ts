/** Workers for tests, bundled as the package's own artefacts are. */
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleForEdge } from '../../build/bundles.ts';

/** packages/collector/src, where an entry's imports are resolved. */
export const SOURCE_ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** The collector alone, as a customer deploys it: a main module may export nothing but handlers. */
export const COLLECTOR_ENTRY = `export { default } from './index.ts';`;

/** A Worker that hands every request on: what the collector is compared with. */
export const PASS_THROUGH_ENTRY = 'export default { fetch: (request) => fetch(request) };';

/** The date that `wrangler.toml` of the template carries. */
export const COMPATIBILITY_DATE = '2026-04-01';

/** Most tests want the same one, and each takes 0.09 s of processor time. */
const made = new Map<string, Promise<string>>();

/** @param entry source text of the entry module; its relative imports are resolved from packages/collector/src */
export function bundle(entry: string): Promise<string> {
  const standing = made.get(entry) ?? bundleForEdge(entry).then(({ code }) => code);
  made.set(entry, standing);
  return standing;
}
