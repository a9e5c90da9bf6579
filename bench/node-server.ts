/** A server with `@ghostlight/node` before it or without, as a process of its own: `node bench/node-server.ts http|express SERVICE|none`. Prints its port; `/cpu` answers its processor time. */
import { createServer, type RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { Ghostlight, GhostlightOptions } from '../packages/node/src/api.ts';

const [framework, service = 'none'] = process.argv.slice(2);
const require = createRequire(new URL('../packages/node/package.json', import.meta.url));
// As it is published.
const { ghostlight } = require('./dist/index.cjs') as { ghostlight(options: GhostlightOptions): Ghostlight };
const express = require('express') as () => RequestListener & {
  use(middleware: Ghostlight['express']): void;
  get(path: string, handler: (request: unknown, response: { send(body: string): void }) => void): void;
};
const visits =
  service === 'none'
    ? null
    : ghostlight({
        ...{ url: service, attributionId: '3f2b8c1e-7a4d-4c52-9b0e-5d6f7a8b9c01' },
        ...{ key: `svc_cf_${'k'.repeat(43)}`, trustProxy: 1, host: 'shop.example' },
      });
const PAGE = '<p>hello</p>'.repeat(200);
const cpu = (): string => {
  const { user, system } = process.cpuUsage();
  return String(user + system);
};

function plain(): RequestListener {
  const listener: RequestListener = (request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end(PAGE);
    void request;
  };
  return visits === null ? listener : visits.http(listener);
}

function withExpress(): RequestListener {
  const app = express();
  if (visits !== null) app.use(visits.express);
  app.get('/{*path}', (_, response) => void response.send(PAGE));
  return app;
}

const listener = framework === 'express' ? withExpress() : plain();
const server = createServer((request, response) => {
  if (request.url === '/cpu') response.end(cpu());
  else listener(request, response);
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
