/** A piece of work whose time is recorded, with the parts that it has. */

/** No query strings, keys, addresses or names of people: what is here leaves the machine. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanWork {
  /** One of few: it groups. */
  readonly name: string;
  /** Whether it answers a request, makes one, or does neither. */
  readonly kind: 'server' | 'client' | 'internal';
  readonly attributes?: SpanAttributes;
}

export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  set(attributes: SpanAttributes): void;
  rename(name: string): void;
  /** @param kind what went wrong in one word: a code or the name of an error, never its message */
  fail(kind: string): void;
  end(): void;
  /** A part of this one. */
  begin(work: SpanWork): Span;
}
