/** The room with real stores and a clock that is moved by hand, behind its routes. */
import { randomUUID } from 'node:crypto';
import { type BotLists, compileLists, embeddedLists, type StoredHit } from '@ghostlight/core';
import { Hono } from 'hono';
import { type ApiEnv, type Caller, DEFAULT_ORGANIZATION_ID, ServiceError } from '../../common/index.ts';
import type { Database } from '../../database/index.ts';
import type { Download } from '../../outbound/index.ts';
import { createProperties, type Property } from '../../properties/index.ts';
import { hitSink, type Warehouse } from '../../warehouse/index.ts';
import { makeBatch, makeHit, silent } from '../../warehouse/testing/warehouse.ts';
import type { ReportContext } from '../context.ts';
import { createContexts } from '../contexts.ts';
import { createReports, type Reports } from '../index.ts';
import type { AnyParameters, Report } from '../report.ts';
import { reportRoutes } from '../routes.ts';

export interface PlaceOptions {
  readonly warehouse: Warehouse;
  readonly database: Database;
  readonly clock: () => number;
  readonly retentionDays?: number;
  /** Default: the lists that travel with the code. */
  readonly lists?: BotLists;
  readonly download?: Download;
  readonly attribution?: Parameters<typeof createReports>[0]['attribution'];
  /** Not the root: one organization's. */
  readonly scope?: { readonly kind: 'organization'; readonly id: string };
  /** Other reports than those that there are. */
  readonly register?: readonly Report[];
}

export interface Site {
  readonly id: string;
  readonly organizationId: string;
}

/** A site in a time zone, known to the database. */
export interface ZonedSite extends Site {
  /** As the API does. */
  move(timeZone: string): Promise<void>;
}

export interface Place {
  readonly reports: Reports;
  site(organizationId?: string): Site;
  /** A site of another place is one here too: another node. */
  know(site: Site): void;
  zoned(timeZone: string): Promise<ZonedSite>;
  /** Of a zoned site, as the database has it. */
  property(site: Site): Promise<Property>;
  /** Stores hits as the shipper does. @returns the rows as they are stored */
  put(site: Site, values: readonly Partial<StoredHit>[]): Promise<StoredHit[]>;
  get(site: Site, path: string): Promise<Response>;
  head(site: Site, path: string): Promise<Response>;
  /** The answer's JSON. @throws when it is no 200 */
  json<T>(site: Site, path: string): Promise<T>;
  send(method: string, path: string, body: unknown): Promise<Response>;
  /** What a report is read with, without a route. */
  context(site: Site, report: Report, query: string, signal: AbortSignal): Promise<ReportContext>;
  /** The OpenAPI document of the room. */
  document(): Readonly<Record<string, unknown>>;
}

/** A query string as the report reads it. */
export const parametersOf = (report: Report, query: string): AnyParameters =>
  report.parameters.parse(Object.fromEntries(new URLSearchParams(query))) as AnyParameters;

export function openPlace({
  warehouse,
  database,
  clock,
  retentionDays = 400,
  lists = embeddedLists(),
  download = () => Promise.reject(new Error('no network here')),
  attribution = async () => ({
    ...{
      rows: [],
      series: [],
      detail: { daily: new Map(), ordersIn: () => 0, isWithout: () => true },
      cut: false,
    },
    totals: { conversions: '0', values: [], refunds: [], matched: '0' },
  }),
  scope,
  register,
}: PlaceOptions): Place {
  const compiled = compileLists(lists);
  const referrers = () => compiled.referrers;
  const botLists = () => lists;
  const log = silent;
  const reports = createReports({
    ...{ database, warehouse, download, attribution, referrers, botLists, retentionDays, clock, log },
  });
  const sites = new Map<string, Site>();
  const zoned = new Set<string>();
  const stored = createProperties(database, { clock });
  const properties = {
    get: async (asked: { kind: string; id?: string }, id: string) => {
      if (zoned.has(id)) return await stored.get({ kind: 'all' }, id);
      const site = sites.get(id);
      if (site === undefined || (asked.kind === 'organization' && asked.id !== site.organizationId))
        throw new ServiceError('not_found', 'There is no such property.');
      return {
        ...site,
        name: 'Shop',
        domain: 'shop.example',
        timeZone: 'UTC',
        searchEngines: false,
        zoneSince: null,
        recountAskedAt: null,
        createdAt: 0,
        updatedAt: 0,
      };
    },
  };
  const app = new Hono<ApiEnv>();
  app.onError((error) =>
    error instanceof ServiceError
      ? Response.json({ code: error.code, errors: error.errors }, { status: STATUSES[error.code] ?? 500 })
      : Response.json({ error: String(error) }, { status: 500 }),
  );
  const caller: Caller =
    scope === undefined
      ? { kind: 'root', role: 'owner', scope: { kind: 'all' }, actor: 'test' }
      : { kind: 'token', role: 'viewer', scope, actor: 'test' };
  app.use((c, next) => {
    c.set('caller', caller);
    return next();
  });
  const routes = reportRoutes({ properties, reports, ...(register === undefined ? {} : { register }) });
  app.route('/', routes);
  const contexts = createContexts(reports, properties);
  const sink = hitSink(warehouse);
  const get = async (site: Site, path: string) => await app.request(`/properties/${site.id}/reports/${path}`);
  return {
    reports,
    site(organizationId = DEFAULT_ORGANIZATION_ID) {
      const site = { id: randomUUID(), organizationId };
      sites.set(site.id, site);
      return site;
    },
    know: (site) => void sites.set(site.id, site),
    async zoned(timeZone) {
      const fields = { name: 'Shop', domain: 'shop.example', timeZone };
      const { id, organizationId } = await stored.create({ kind: 'all' }, 'root', fields);
      zoned.add(id);
      return {
        ...{ id, organizationId },
        async move(to) {
          const property = await stored.get({ kind: 'all' }, id);
          const zone = { timeZone: to, since: await reports.recounting.since(property, to) };
          await stored.update({ kind: 'all' }, 'root', id, { zone });
        },
      };
    },
    property: ({ id }) => stored.get({ kind: 'all' }, id),
    async put(site, values) {
      const scopeOf = { organizationId: site.organizationId, attributionIds: [site.id] as const };
      const hits = values.map((value) => makeHit(scopeOf, { received_at: clock(), ...value }));
      const months = Map.groupBy(hits, ({ at }) => new Date(at).toISOString().slice(0, 7));
      for (const batch of months.values()) await sink.insert(makeBatch(batch));
      return hits;
    },
    get,
    head: async (site, path) =>
      await app.request(`/properties/${site.id}/reports/${path}`, { method: 'HEAD' }),
    async json(site, path) {
      const response = await get(site, path);
      if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return (await response.json()) as never;
    },
    send: async (method, path, body) =>
      await app.request(path, {
        method,
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    context: async ({ id }, report, query, signal) =>
      await contexts.open(report, { caller, id, parameters: parametersOf(report, query), signal }),
    document: () => ({
      ...routes.getOpenAPI31Document({ openapi: '3.1.0', info: { title: 'Reports', version: '0' } }),
    }),
  };
}

const STATUSES: Readonly<Record<string, number>> = {
  invalid: 422,
  not_found: 404,
  forbidden: 403,
  unavailable: 503,
  rate_limited: 429,
};
