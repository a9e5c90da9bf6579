/** A site with a signed manifest, which is its own issuer, on a free port. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  formatManifestTime,
  generateSigningKey,
  importSigningKey,
  type ManifestBody,
  signManifest,
} from '../../src/manifest/index.ts';
import { HOUR_MS } from '../../src/time.ts';
import golden from '../../vectors/manifest.json' with { type: 'json' };

export interface Site {
  readonly address: string;
  readonly tools: ManifestBody['tools'];
  /** From now on the document differs from what was signed. */
  tamper(): void;
  close(): Promise<void>;
}

export async function startSite(): Promise<Site> {
  let document = '';
  const { kid, publicJwk, privateJwk } = await generateSigningKey();
  const server = createServer((request, response) => {
    if (request.url === '/.well-known/webmcp.json') response.end(document);
    else if (request.url === '/jwks.json') response.end(JSON.stringify({ keys: [publicJwk] }));
    else response.writeHead(404).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const body: ManifestBody = {
    ...golden.body,
    hosts: ['127.0.0.1', ...golden.body.hosts],
    issued_at: formatManifestTime(Date.now() - HOUR_MS),
    expires_at: formatManifestTime(Date.now() + HOUR_MS),
  };
  const privateKey = await importSigningKey(privateJwk);
  document = await signManifest(body, { privateKey, kid, jku: `${address}/jwks.json` });
  return {
    address,
    tools: body.tools,
    tamper: () => {
      document = document.replace('search_products', 'send_all_money');
    },
    close: () => new Promise((closed) => server.close(() => closed())),
  };
}
