/** The application: the mount table of everything that is not ingest, from the public routes to the dashboard's files. */
import type { IncomingMessage } from 'node:http';
import { OpenAPIHono } from '@hono/zod-openapi';
import { bodyLimit } from 'hono/body-limit';
import { compress } from 'hono/compress';
import type { Registry } from 'prom-client';
import {
  type Api,
  type ApiEnv,
  type Caller,
  currentRequest,
  exactSize,
  inRequest,
  type Log,
  REQUEST_ID_HEADER,
  requestIdFrom,
  ServiceError,
  type Tracer,
} from '../common/index.ts';
import { type ReadinessChecks, readiness } from './health.ts';
import type { Idempotency } from './idempotency.ts';
import { describeIngest } from './ingest-document.ts';
import { admitScraper, isOperator } from './metrics-access.ts';
import { refuseNul } from './nul.ts';
import { createPermissions, needOf } from './permissions.ts';
import { notFound, problemResponseFor } from './problem.ts';
import type { StaticFiles } from './static.ts';
import { traceRequests } from './trace-requests.ts';
import { whileAdmitted } from './while-admitted.ts';

/** The management API's bodies are small; ingest, with its own limits, never comes through here. */
const MAX_BODY_BYTES = 1024 * 1024;

/** What a request brings besides itself. Absent when a command calls the application in its own process. */
export interface Bindings {
  incoming?: IncomingMessage;
}

/** Routes of a room and where they stand. */
export interface Mount {
  readonly path: string;
  readonly routes: Api;
}

export interface AppOptions {
  readonly version: string;
  readonly log: Log;
  readonly readiness: ReadinessChecks;
  /** null: served on a listener of its own. */
  readonly metrics: Registry | null;
  /** Lets a scraper on another machine read the metrics, and nothing else; null: none is set. */
  readonly metricsToken: string | null;
  /** No caller needed: bot list, sign-in. */
  readonly open: readonly Mount[];
  /** The caller is known before any of these runs. */
  readonly managed: readonly Mount[];
  /** Whether a path is served at the host that was asked for. */
  readonly serves: (incoming: IncomingMessage, path: string) => boolean;
  readonly authenticate: (request: Request, incoming: IncomingMessage | undefined) => Promise<Caller>;
  /** Runs a request so that what it asks of the stores is counted to its caller. */
  readonly onBehalfOf: (caller: Caller, run: () => Promise<void>) => Promise<void>;
  /** null: a repeated change is made again. */
  readonly idempotency?: Pick<Idempotency, 'once'> | null;
  /** null: requests are not traced. */
  readonly tracer?: Tracer | null;
  /** Called for every request that no route answers, for the setup checker. */
  readonly onUnknownPath: (request: Request) => void;
  readonly dashboard: StaticFiles;
}

type Env = ApiEnv & { Bindings: Bindings };

export function createApp(options: AppOptions): OpenAPIHono<Env> {
  const app = new OpenAPIHono<Env>();

  app.onError((error, c) => problemResponseFor(error, options.log, c.req.raw.signal));
  // The listener has named what came through it; a command's request comes another way.
  app.use('*', async (c, next) => {
    if (currentRequest() !== undefined) return await next();
    const requestId = requestIdFrom(c.req.header(REQUEST_ID_HEADER));
    await inRequest({ requestId }, next);
    c.res.headers.set(REQUEST_ID_HEADER, requestId);
  });
  if (options.tracer) app.use('*', traceRequests(options.tracer));
  app.use('*', async (c, next) => {
    const incoming = c.env?.incoming;
    if (incoming !== undefined && !options.serves(incoming, c.req.path)) throw notFound(c.req.path);
    refuseNul(c.req.raw.url);
    await next();
  });
  app.get('/healthz', (c) => c.json({ status: 'ok', version: options.version }));
  app.get('/readyz', async (c) => {
    const incoming = c.env?.incoming;
    const forOperator = await isOperator(c.req.raw, incoming, options.metricsToken, () =>
      options.authenticate(c.req.raw, incoming),
    );
    const state = await readiness(options.readiness, forOperator);
    return c.json(state, state.status === 'unavailable' ? 503 : 200);
  });
  if (options.metrics !== null) {
    const registry = options.metrics;
    app.get('/metrics', async (c) => {
      const incoming = c.env?.incoming;
      await admitScraper(c.req.raw, incoming, options.metricsToken, () =>
        options.authenticate(c.req.raw, incoming),
      );
      return c.text(await registry.metrics(), 200, { 'Content-Type': registry.contentType });
    });
  }

  for (const { path, routes } of options.open) app.route(path, routes);
  // Written once, at the first request, when all routes are mounted: it takes a tenth of a second, and anyone may ask for it.
  let document: string | undefined;
  app.get('/api/v1/openapi.json', (c) => {
    document ??= JSON.stringify(openApiDocument(app, options.version));
    return c.body(document, 200, { 'Content-Type': 'application/json' });
  });

  const permit = createPermissions(() => operationsOf(app));
  app.use('/api/v1/*', bodyLimit({ maxSize: MAX_BODY_BYTES, onError: tooLarge }), async (c, next) => {
    const admit = async () => {
      const caller = await options.authenticate(c.req.raw, c.env?.incoming);
      permit(c, caller);
      c.set('caller', caller);
    };
    await admit();
    if (c.req.raw.body !== null) {
      // A sender takes the time it likes over a body: the last byte may come after its sender was removed, so the caller is asked for again.
      // The routes read what is kept here.
      await c.req.arrayBuffer();
      await admit();
    }
    const caller = c.get('caller');
    const run = () => options.idempotency?.once(c, caller, next) ?? next();
    await options.onBehalfOf(caller, run);
    // An export reads for minutes, a stream has no end.
    const isFile = c.res.headers.get('Content-Disposition')?.startsWith('attachment') ?? false;
    const isStream = c.res.headers.get('Content-Type')?.startsWith('text/event-stream') ?? false;
    if (c.res.body !== null && (isFile || isStream)) {
      const before = organizationOf(c.get('caller'));
      const stillAdmitted = async () => {
        const caller = await options.authenticate(c.req.raw, c.env?.incoming);
        permit(c, caller);
        if (organizationOf(caller) !== before)
          throw new ServiceError('forbidden', 'The caller’s organization has changed.');
      };
      c.res = new Response(whileAdmitted(c.res.body, stillAdmitted, { isFile }), c.res);
    }
    if (!c.res.headers.has('Cache-Control')) c.res.headers.set('Cache-Control', 'no-store');
  });
  // Numbers of many days, and the setup of all sources, shrink to a fifth. Only these: they hold no secret, whose length could be guessed next to
  // attacker-chosen text.
  for (const path of ['/api/v1/properties/:id/reports/*', '/api/v1/sources', '/api/v1/networks'])
    app.use(path, compress({ encoding: 'gzip', contentTypeFilter: /^application\/json/ }));
  for (const { path, routes } of options.managed) app.route(path, routes);

  app.notFound((c) => {
    const file =
      c.req.method === 'GET' || c.req.method === 'HEAD'
        ? options.dashboard.respond(c.req.raw, c.req.path)
        : null;
    if (file !== null) return file;
    options.onUnknownPath(c.req.raw);
    return problemResponseFor(notFound(c.req.path), options.log);
  });
  return app;
}

/** null: the admin token's scope. */
const organizationOf = ({ scope }: Caller): string | null =>
  scope.kind === 'organization' ? scope.id : null;

function tooLarge(): never {
  // The rest of the body stays unread: the connection can't carry another request, and its client must know.
  throw new ServiceError('body_too_large', `The body may have at most ${exactSize(MAX_BODY_BYTES)}.`, {
    headers: { Connection: 'close' },
  });
}

function openApiDocument(app: OpenAPIHono<Env>, version: string): Document {
  describeIngest(app.openAPIRegistry);
  app.openAPIRegistry.registerComponent('securitySchemes', 'bearer', { type: 'http', scheme: 'bearer' });
  const document: Document = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'Ghostlight', version, description: 'The management API of a Ghostlight service.' },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
  });
  // The document says who may call it, whether the route declares it or not.
  for (const { method, operation } of operationsIn(document))
    if (operation.security?.length !== 0) operation['x-need'] = needOf(method, operation['x-need']);
  return document;
}

interface Operation {
  security?: unknown[];
  'x-need'?: unknown;
}
interface Document {
  paths?: Record<string, Partial<Record<(typeof METHODS)[number], Operation>>>;
}
const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

function operationsIn({ paths = {} }: Document) {
  return Object.entries(paths).flatMap(([path, operations]) =>
    METHODS.flatMap((method) => {
      const operation = operations[method];
      return operation === undefined ? [] : [{ method: method.toUpperCase(), path, operation }];
    }),
  );
}

/** As the routes declare them: the document, with the schemas of all, takes a hundred times as long as a list of their names. */
function operationsOf(app: OpenAPIHono<Env>) {
  return app.openAPIRegistry.definitions.flatMap((definition) =>
    definition.type !== 'route'
      ? []
      : [
          {
            method: definition.route.method.toUpperCase(),
            path: definition.route.path,
            need: (definition.route as Operation)['x-need'],
          },
        ],
  );
}
