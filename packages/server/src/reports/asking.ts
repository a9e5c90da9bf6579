/** How a route comes from a request to what its report is asked with, and to a file where one is wanted. */
import { begun, type Caller, daysOf, ServiceError, textStream } from '../kit/index.ts';
import type { FindProperty, Property } from '../properties/index.ts';
import type { Asked } from './context.ts';
import { filterOf, periodOf, populationOf, type ReportQuery } from './query.ts';
import type { Reports } from './reports.ts';

/** Exports at a time, over all callers: each holds a connection of the warehouse while a page is counted. */
const MAX_EXPORTS = 4;

export interface Asking {
  /** @throws ServiceError `not_found`, `invalid` */
  ask(
    caller: Caller,
    id: string,
    query: ReportQuery,
    signal: AbortSignal,
  ): Promise<{ asked: Asked; property: Property }>;
  /** All days of which anything is kept and that a report may ask for, for the same property. */
  history(asked: Asked, property: Property): Promise<Asked>;
  /** @throws ServiceError `unavailable` while others export */
  file(
    name: string,
    format: 'csv' | 'ndjson',
    pieces: (asked: Asked) => AsyncGenerator<string>,
    asked: Asked,
  ): Promise<Response>;
}

const HISTORY_DAYS = 400;

export function createAsking(reports: Reports, find: FindProperty): Asking {
  let exports = 0;
  return {
    async ask(caller, id, query, signal) {
      const property = await find(caller, id, query.organization);
      const period = periodOf(query, daysOf(property), reports.clock());
      const plan = await reports.plan(property, period, signal);
      const { warehouse } = reports;
      return {
        property,
        asked: {
          warehouse,
          plan,
          filter: filterOf(query),
          population: populationOf(query),
          compare: period.compare && plan.previousFrom !== null,
          firsts: () => reports.firsts.of(property, signal),
          signal,
        },
      };
    },
    async history(asked, property) {
      const { to } = asked.plan;
      const period = { from: to - HISTORY_DAYS + 1, to, compare: false };
      return { ...asked, compare: false, plan: await reports.plan(property, period, asked.signal) };
    },
    async file(name, format, pieces, asked) {
      if (exports >= MAX_EXPORTS) {
        throw new ServiceError('unavailable', 'Other exports are running; try again when one has ended.', {
          headers: { 'Retry-After': '10' },
        });
      }
      exports += 1;
      const given = new AbortController();
      const done = (): void => {
        exports -= 1;
        // The client has left, or all is sent: the engine needn't go on.
        given.abort();
      };
      const signal = AbortSignal.any([asked.signal, given.signal]);
      const stream = textStream(await begun(pieces({ ...asked, signal }), done), done);
      return new Response(stream, {
        headers: {
          'Content-Type':
            format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8',
          'Content-Disposition': `attachment; filename="${name}.${format}"`,
          // A file has no envelope: whose days `from` and `to` are stands here.
          'X-Time-Zone': asked.plan.timeZone,
          'Cache-Control': 'no-store',
          'X-Content-Type-Options': 'nosniff',
        },
      });
    },
  };
}
