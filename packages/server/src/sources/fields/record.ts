/** What a line says about a visit, member by member, unchanged: every decoder of a log makes this, and `observe` makes a hit of it. */
import { isObject } from '@ghostlight/core';

export interface VisitRecord {
  /** RFC 3339, or seconds, milliseconds … since 1970, as number or text. */
  readonly time?: unknown;
  readonly host?: unknown;
  readonly method?: unknown;
  /** What was asked for: a path, with its query or without, or a whole URL. */
  readonly target?: unknown;
  /** Where it stands apart from the path: undecoded text, or an object of names and values. */
  readonly query?: unknown;
  readonly ip?: unknown;
  readonly userAgent?: unknown;
  readonly referrer?: unknown;
  readonly status?: unknown;
  readonly bytes?: unknown;
  readonly country?: unknown;
  readonly asn?: unknown;
  readonly requestId?: unknown;
  readonly wafAction?: unknown;
  readonly attributionId?: unknown;
  readonly loggedShare?: unknown;
  /** `https`, or what servers write for it: `on`. */
  readonly scheme?: unknown;
  /** The three headers of a signed request, as received. */
  readonly signature?: unknown;
  readonly signatureInput?: unknown;
  readonly signatureAgent?: unknown;
}

/** Sender's names of a record's members, the first that is there counts. A dot leads into an object: `proxy.host`. */
export type Names = { readonly [member in keyof VisitRecord]?: readonly string[] };

/** The value at a name, which may hold dots itself: Vector and OTLP write `http.method` as one name. */
export function valueAt(line: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(line, name)) return line[name];
  const dot = name.indexOf('.');
  if (dot === -1) return undefined;
  const inner = Object.hasOwn(line, name.slice(0, dot)) ? line[name.slice(0, dot)] : undefined;
  return isObject(inner) ? valueAt(inner, name.slice(dot + 1)) : undefined;
}

/** Logs write `-` for what is not there, and headers that came several times as a list. */
export function present(value: unknown): unknown {
  const one = Array.isArray(value) ? value[0] : value;
  return one === null || one === '' || one === '-' ? undefined : one;
}

export function recordOf(line: Readonly<Record<string, unknown>>, names: Names): VisitRecord {
  const record: Record<string, unknown> = {};
  for (const [member, candidates] of Object.entries(names)) {
    for (const name of candidates) {
      const value = present(valueAt(line, name));
      if (value === undefined) continue;
      record[member] = value;
      break;
    }
  }
  return record;
}
