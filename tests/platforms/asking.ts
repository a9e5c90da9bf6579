/** For the tests of the fakes: requests by hand, without a network. */
import type { Call, Fake, Json, Reply } from './fake.ts';

export const NOW = Date.parse('2026-11-21T12:00:00Z');
export const HASH = 'b4c9a289323b21a01c3e940f150eb9b8c542587f1abfd8f0e1cc1ffc5e475514';
export const HASH_OF_NOTHING = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

export interface Asked {
  readonly method?: string;
  /** With its query. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text as it is, everything else as JSON. */
  readonly body?: unknown;
}

export function ask(fake: Fake, { method = 'POST', target, headers = {}, body }: Asked): Reply {
  const url = new URL(target, 'http://fake');
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? null);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  const call: Call = { method, path: url.pathname, query: url.searchParams, headers, text, json };
  return fake.answer(call);
}

/** A copy with members replaced by their paths, `user.email`; undefined takes one away. */
export function but(value: Json, changes: Readonly<Record<string, unknown>>): Json {
  const copy = structuredClone(value);
  for (const [path, change] of Object.entries(changes)) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    const holder = names.reduce<Json>((held, name) => held[name] as Json, copy);
    if (change === undefined) delete holder[last];
    else holder[last] = change;
  }
  return copy;
}
