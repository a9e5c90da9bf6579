/** Who really was who they said. */
import { createRoute } from '@hono/zod-openapi';
import { idParam } from '../../shared/index.ts';
import { botDays, trustTotals } from '../../warehouse/index.ts';
import { envelope, ofAll } from '../context.ts';
import { fileOf, listed } from '../listing.ts';
import { reportQuery } from '../query.ts';
import {
  TRUST_SORTS,
  trustItemSchema,
  trustListing,
  trustSeries,
  trustSeriesSchema,
  trustTotalsSchema,
  trustTotalsView,
} from '../trust.ts';
import { type AddList, PATH, responses, sorted, tags } from './parts.ts';

export const trust: AddList = (api, { ask, file }) => {
  api.openapi(
    createRoute({
      method: 'get',
      path: `${PATH}/trust`,
      tags,
      summary: 'Verified, spoofed and unknown visits by bot, with method and reason',
      request: { params: idParam, query: reportQuery.extend(sorted(TRUST_SORTS)) },
      responses: responses(
        trustItemSchema,
        { totals: trustTotalsSchema, series: trustSeriesSchema },
        'TrustReport',
      ),
    }),
    async (c) => {
      const query = c.req.valid('query');
      const { asked: narrowed } = await ask(
        c.get('caller'),
        c.req.valid('param').id,
        query,
        c.req.raw.signal,
      );
      const asked = ofAll(narrowed);
      const { format } = query;
      if (format !== 'json')
        return (await file(
          c.req.raw,
          'trust',
          format,
          (of) => fileOf(of, trustListing, format),
          asked,
        )) as never;
      const [page, totals, days] = await Promise.all([
        listed(asked, trustListing, query),
        trustTotals(asked.warehouse, asked, asked.signal),
        botDays(asked.warehouse, asked, asked.signal),
      ]);
      return c.json(
        {
          ...envelope(asked),
          ...page,
          totals: trustTotalsView(asked, totals, days),
          series: trustSeries(asked, days),
        },
        200,
      );
    },
  );
};
