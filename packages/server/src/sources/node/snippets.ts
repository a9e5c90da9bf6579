/** What to copy for each framework. The package's own tests run these lines. */
import type { SetupSnippet } from '../source.ts';

export const SETTINGS = `import { ghostlight } from '@ghostlight/node';

export const visits = ghostlight({
  url: {{base_url|json}},
  attributionId: {{attribution_id|json}},
  key: process.env.GHOSTLIGHT_KEY,
  trustProxy: 1,
});`;

const IMPORT = `import { visits } from './ghostlight.js';`;

export const FRAMEWORKS: readonly SetupSnippet[] = [
  { title: 'Express', template: `${IMPORT}\n\napp.use(visits.express);` },
  { title: 'Fastify', template: `${IMPORT}\n\nawait app.register(visits.fastify);` },
  { title: 'Hono', template: `${IMPORT}\n\napp.use(visits.hono);` },
  {
    title: 'Next: proxy.ts (before Next 16 middleware.ts, with a function named middleware)',
    template: `${IMPORT}\n\nexport function proxy(request, event) {\n  return visits.next(request, event);\n}`,
  },
  { title: 'Koa', template: `${IMPORT}\n\napp.use(visits.koa);` },
  { title: 'node:http', template: `${IMPORT}\n\nhttp.createServer(visits.http(listener)).listen(8080);` },
];
