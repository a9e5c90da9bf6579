/**
 * Which source is the collector's own, by the files of releases before 0.5.0. A file by another name counts as the customer's
 * own work: one that is missing here costs a `--force`, a wrong one would cost a customer's code.
 */
import { posix } from 'node:path';
import type { Repository } from './repository.ts';

const MODULES = new Set(
  `index worker main handler collector middleware observe
   bots bot-list botlist ai-bots classify classifier classification detect referrers referrer ai-referrers
   lists list-sync sync fetch-lists sampling sample sampler
   forward forwarder ingest post payload log-object hit event transport
   verify verification verifier cidr ip ip-ranges ranges anonymize truncate-ip
   signature signatures web-bot-auth http-signature directory keys
   webmcp manifest cache kv
   config settings env environment constants types version logger log utils util helpers`
    .trim()
    .split(/\s+/),
);
const PACKAGES =
  /^(?:node:|cloudflare:|@cloudflare\/|(?:isbot|web-bot-auth|http-message-sig|jsonwebkey-thumbprint)(?:\/|$))/;
const SOURCE = /\.[cm]?[jt]s$/;
const DATA = /\.(?:json|d\.ts)$/;
const TEST = /(?:^|\/)__tests__\/|\.(?:test|spec)\.[cm]?[jt]sx?$/;
const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*)(['"])([^'"\n]+)\1/g;

/** Tests go with the source that they test. */
export function isTest(path: string): boolean {
  return /^tests?\//.test(path) || TEST.test(path);
}

/**
 * Why a file of `src/` is not, or not only, the collector's.
 * @returns null for the collector's own
 */
export function foreignBecause(path: string, repository: Repository): string | null {
  if (isTest(path)) return null;
  const { kind, text } = repository.get(path) ?? { kind: 'file', text: null };
  if (kind === 'symlink') return 'is a symbolic link';
  const name = posix.basename(path).replace(/(?:\.d)?\.[^.]+$/, '');
  if (!(SOURCE.test(path) || DATA.test(path)) || !MODULES.has(name.toLowerCase())) {
    return 'is no file of a collector release';
  }
  if (text === null) return 'could not be read';
  const foreign = importsOf(text).find((name) => !name.startsWith('.') && !PACKAGES.test(name));
  if (foreign !== undefined) return `imports ${foreign}`;
  if (
    /\bexport\s+class\s+\w+[^{]*\bDurableObject\b|\bextends\s+(?:DurableObject|WorkflowEntrypoint)\b/.test(
      text,
    )
  ) {
    return 'holds a class of your own';
  }
  return null;
}

export function importsOf(text: string): string[] {
  return [...text.matchAll(IMPORT)].map((match) => match[2] ?? '');
}
