/** The proof that a name belongs to a customer: a TXT record that only they can write. */
import { Resolver } from 'node:dns/promises';

/** Milliseconds per attempt, and attempts: a person waits for the answer. */
const TIMEOUT_MS = 2_000;
const TRIES = 2;
/** More records than this at one name are abuse. */
const MAX_RECORDS = 100;

/** All TXT records at a name, each joined; none is an empty array. @throws Error when the name servers could not be asked */
export type TxtLookup = (name: string) => Promise<readonly string[]>;

export const recordName = (domain: string): string => `_ghostlight.${domain}`;
export const recordValue = (token: string): string => `ghostlight-verify=${token}`;

/** @param servers `address:port` of name servers, instead of the system's */
export function createTxtLookup({ servers }: { servers?: readonly string[] } = {}): TxtLookup {
  return async (name) => {
    // One resolver per question: what is cancelled or hangs is this question alone.
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
    if (servers !== undefined) resolver.setServers(servers);
    try {
      const records = await resolver.resolveTxt(name);
      return records.slice(0, MAX_RECORDS).map((parts) => parts.join(''));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOTFOUND' || code === 'ENODATA') return [];
      throw error;
    }
  };
}

/** null: the record is there; else a sentence for the person who has to add it. */
export async function challengeProblem(
  lookup: TxtLookup,
  domain: string,
  token: string,
): Promise<{ problem: string | null; records: readonly string[] }> {
  const name = recordName(domain);
  let records: readonly string[];
  try {
    records = await lookup(name);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    return { problem: `The name servers of ${name} could not be reached (${code}).`, records: [] };
  }
  // Quotes and blanks around it are what some DNS consoles make of a pasted value.
  if (records.some((record) => record.trim().replace(/^"(.*)"$/, '$1') === recordValue(token)))
    return { problem: null, records };
  const found = records.length === 0 ? 'none' : 'only others';
  return {
    problem: `No TXT record at ${name} contains ${recordValue(token)}: it has ${found}. A new one may take minutes to become visible.`,
    records,
  };
}
