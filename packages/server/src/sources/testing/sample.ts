/** A visit as a test means it, and how a source's sender writes visits: what is printed so must be read back as it was. */

/** What every sender can say of a visit. */
export interface SampleVisit {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly host: string;
  readonly method: string;
  /** Begins with `/`; no query. */
  readonly path: string;
  readonly query: ReadonlyMap<string, string>;
  readonly ip: string;
  readonly userAgent: string;
  readonly referrer: string;
  readonly status: number;
  readonly bytes: number;
  /** Empty where the sender has none. */
  readonly requestId: string;
}

/** One request of a sender. */
export interface SampleBody {
  readonly body: string | Buffer;
  /** Of the address, behind the property. */
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface SourceSample {
  /** What of a visit the sender does not say; `seconds`: its times are whole ones; `plus`: it writes blanks so. */
  readonly lacks?: readonly ('requestId' | 'referrer' | 'bytes' | 'host' | 'method' | 'seconds' | 'plus')[];
  print(visits: readonly SampleVisit[]): SampleBody;
}

/** A query as browsers write it. */
export const searchOf = (query: ReadonlyMap<string, string>): string =>
  query.size === 0 ? '' : `?${new URLSearchParams([...query])}`;

export const ndjson = (elements: readonly object[]): string =>
  elements.map((element) => `${JSON.stringify(element)}\n`).join('');
