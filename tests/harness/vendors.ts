/** The vendors' range files, answered from the copies that travel with the code: a service that reads them holds ranges of today. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  embeddedLists,
  embeddedSearchEngines,
  rangeSources,
  searchEngineRangeSources,
  withSearchEngines,
} from '@ghostlight/core';
import type { TestService } from './service.ts';

export interface Vendors {
  /** For `DESTINATION_HOSTS`. */
  readonly hosts: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export async function startVendors(): Promise<Vendors> {
  const sets = withSearchEngines(embeddedLists(), embeddedSearchEngines()).ip_ranges;
  const sources = [...rangeSources(), ...searchEngineRangeSources()];
  const files = new Map(
    sources.map(({ url, bots }) => [
      new URL(url).pathname,
      sets.find((set) => set.bots.includes(bots[0] ?? ''))?.prefixes ?? [],
    ]),
  );
  const server = createServer((request, response) => {
    const prefixes = files.get(request.url ?? '') ?? [];
    if (prefixes.length === 0) response.writeHead(404).end();
    else response.end(JSON.stringify({ prefixes: prefixes.map((prefix) => ({ ipv4Prefix: prefix })) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    hosts: Object.fromEntries(sources.map(({ url }) => [new URL(url).hostname, base])),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Has a running service read them. */
export async function readVendors(service: Pick<TestService, 'api'>): Promise<void> {
  const { status } = await service.api('POST', '/api/v1/lists/refresh');
  if (status !== 200) throw new Error(`the ranges could not be read: ${status}`);
}
