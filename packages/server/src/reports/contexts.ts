/** How a request becomes what its report is read with. */

import { type Caller, daysOf, narrowScope } from '../common/index.ts';
import type { Properties } from '../properties/index.ts';
import type { ReadConversions, ReportContext } from './context.ts';
import { filterOf, populationOf, type ReportParameters, reportDays } from './parameters.ts';
import type { Report } from './report.ts';
import type { Reports } from './reports.ts';

export interface ReportRequest {
  readonly caller: Caller;
  /** The property's. */
  readonly id: string;
  readonly parameters: ReportParameters;
  /** Aborted when the reader has gone. */
  readonly signal: AbortSignal;
}

export interface Contexts {
  /** @throws ServiceError `not_found`, `invalid` */
  open(report: Pick<Report, 'population' | 'compare'>, request: ReportRequest): Promise<ReportContext>;
}

const HISTORY_DAYS = 400;
const NO_CONVERSIONS: ReadConversions = async () => ({ rows: [], conversions: '0', cut: false });

export function createContexts(reports: Reports, properties: Pick<Properties, 'get'>): Contexts {
  return {
    async open(report, { caller, id, parameters, signal: first }) {
      const property = await properties.get(narrowScope(caller.scope, parameters.organization), id);
      const { compare = report.compare } = parameters;
      const now = reports.clock();
      const period = reportDays({ ...parameters, compare }, daysOf(property), now);
      const plan = await reports.plan(property, period, first);
      const { warehouse, sitemaps, conversions, manifest, productOf, botLists } = reports;
      // Readers of a share link see no conversion, not even how many there are.
      const readConversions = caller.kind === 'share' ? NO_CONVERSIONS : conversions;
      const until = (signal: AbortSignal): ReportContext => {
        const historyUntil = async (to: number): Promise<ReportContext> => {
          const days = { from: to - HISTORY_DAYS + 1, to, compareFrom: null };
          return {
            ...context,
            compareFrom: null,
            compare: false,
            plan: await reports.plan(property, days, signal),
          };
        };
        const context: ReportContext = {
          ...{
            property,
            warehouse,
            plan,
            sitemaps,
            productOf,
            conversions: readConversions,
            manifest,
            botLists,
            now,
            signal,
            until,
          },
          filter: filterOf(parameters),
          population: report.population ?? populationOf(parameters),
          compareFrom: period.compareFrom,
          compare: plan.isComparable,
          firsts: () => reports.firsts.of(property, signal),
          history: () => historyUntil(plan.to),
          async everything() {
            const whole = await historyUntil(plan.dayAt(now));
            return { ...whole, filter: {}, population: 'all' };
          },
        };
        return context;
      };
      return until(first);
    },
  };
}
