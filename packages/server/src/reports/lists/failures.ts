/** What AI bots could not read. */
import { createRoute, z } from '@hono/zod-openapi';
import { idParam } from '../../shared/index.ts';
import { failureDays, failureStatuses } from '../../warehouse/index.ts';
import { envelope } from '../context.ts';
import {
  FAILURE_GROUPS,
  FAILURE_KINDS,
  FAILURE_SORTS,
  failureItemSchema,
  failureListing,
  failureSeries,
  failureSeriesSchema,
  failureTotalsSchema,
  failureTotalsView,
  fixFirst,
  fixFirstSchema,
  readFailures,
  statusesView,
  statusSchema,
} from '../failures.ts';
import { fileOf, pageOf, requestOf } from '../listing.ts';
import { reportQuery } from '../query.ts';
import { type AddList, PATH, responses, sorted, tags } from './parts.ts';

export const failures: AddList = (api, { ask, file }) => {
  api.openapi(
    createRoute({
      method: 'get',
      path: `${PATH}/failures`,
      tags,
      summary: 'What AI bots could not read, and what to mend first',
      request: {
        params: idParam,
        query: reportQuery.extend({
          group: z.enum(FAILURE_GROUPS).default('page'),
          kind: z.enum(FAILURE_KINDS).default('error').openapi({ description: 'error: 4xx and 5xx' }),
          ...sorted(FAILURE_SORTS),
        }),
      },
      responses: responses(
        failureItemSchema,
        {
          totals: failureTotalsSchema,
          by_status: statusSchema,
          series: failureSeriesSchema,
          fix_first: fixFirstSchema,
        },
        'FailureReport',
      ),
    }),
    async (c) => {
      const query = c.req.valid('query');
      const { asked } = await ask(c.get('caller'), c.req.valid('param').id, query, c.req.raw.signal);
      const { format, group, kind } = query;
      const { warehouse, signal } = asked;
      const listing = failureListing(group, kind);
      if (format !== 'json')
        return (await file(
          c.req.raw,
          'failures',
          format,
          (of) => fileOf(of, listing, format),
          asked,
        )) as never;
      // What asks twice, one question after the other, begins first, so that it doesn't run alone at the end.
      const [{ page, worst }, statuses, days] = await Promise.all([
        readFailures(asked, query, requestOf(query)),
        failureStatuses(warehouse, asked, kind, signal),
        failureDays(warehouse, asked, kind, signal),
      ]);
      return c.json(
        {
          ...envelope(asked),
          ...(await pageOf(asked, listing, query, page)),
          totals: failureTotalsView(asked, kind, days, statuses),
          by_status: statusesView(statuses),
          series: failureSeries(asked, days),
          fix_first: fixFirst(worst),
        },
        200,
      );
    },
  );
};
