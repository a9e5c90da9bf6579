/** How a route comes from a request to what its report is asked with, and to a file where one is wanted. */

import type { FindProperty, Property } from '../properties/index.ts';
import { type Caller, createFileAnswers, daysOf, type FileFormat } from '../shared/index.ts';
import type { Asked } from './context.ts';
import { filterOf, periodOf, populationOf, type ReportQuery } from './query.ts';
import type { Reports } from './reports.ts';

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
    request: Request,
    name: string,
    format: FileFormat,
    pieces: (asked: Asked) => AsyncGenerator<string>,
    asked: Asked,
  ): Promise<Response>;
}

const HISTORY_DAYS = 400;

export function createAsking(reports: Reports, find: FindProperty): Asking {
  const answerFile = createFileAnswers();
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
    file: (request, name, format, pieces, asked) =>
      answerFile({
        ...{ request, name, format },
        pieces: (signal) => pieces({ ...asked, signal }),
        // A file has no envelope: whose days `from` and `to` are stands here.
        headers: { 'X-Time-Zone': asked.plan.timeZone },
      }),
  };
}
