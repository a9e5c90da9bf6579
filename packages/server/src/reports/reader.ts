/** A report for other rooms: asked as an address asks for it, without a request. */
import { type Caller, ServiceError } from '../common/index.ts';
import type { Properties } from '../properties/index.ts';
import { createContexts } from './contexts.ts';
import { REPORTS } from './register.ts';
import { type AnyParameters, answerOf } from './report.ts';
import type { Reports } from './reports.ts';

export interface ReadReportRequest {
  readonly caller: Caller;
  /** The property's. */
  readonly id: string;
  /** As in an address. */
  readonly query: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** @param name of a report, `bots` @returns the answer of its route @throws ServiceError `not_found`, `invalid` */
export type ReadReport = (name: string, request: ReadReportRequest) => Promise<object>;

export function createReportReader(reports: Reports, properties: Pick<Properties, 'get'>): ReadReport {
  const contexts = createContexts(reports, properties);
  return async (name, { caller, id, query, signal }) => {
    const report = REPORTS.find((one) => one.name === name);
    const parsed = report?.parameters.safeParse(query);
    if (report === undefined || parsed?.success !== true)
      throw new ServiceError('invalid', `There is no report ${name} with these parameters.`);
    const parameters = parsed.data as AnyParameters;
    return await answerOf(
      report,
      await contexts.open(report, { caller, id, parameters, signal }),
      parameters,
    );
  };
}
