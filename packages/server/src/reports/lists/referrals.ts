/** Whom AI products sent. */
import { createRoute, z } from '@hono/zod-openapi';
import { idParam } from '../../shared/index.ts';
import { referralDays, referralTotals } from '../../warehouse/index.ts';
import { envelope } from '../context.ts';
import { fileOf, listed } from '../listing.ts';
import { reportQuery } from '../query.ts';
import {
  REFERRAL_SORTS,
  referralItemSchema,
  referralListing,
  referralSeries,
  referralSeriesSchema,
  referralTotalsSchema,
  referralTotalsView,
} from '../referrals.ts';
import { type AddList, PATH, responses, sorted, tags } from './parts.ts';

export const referrals: AddList = (api, { ask, file }) => {
  api.openapi(
    createRoute({
      method: 'get',
      path: `${PATH}/referrals`,
      tags,
      summary: 'People whom AI products sent, by product and landing page',
      request: {
        params: idParam,
        query: reportQuery.extend({
          group: z.enum(['page', 'engine']).default('page'),
          ...sorted(REFERRAL_SORTS),
        }),
      },
      responses: responses(
        referralItemSchema,
        { totals: referralTotalsSchema, series: referralSeriesSchema },
        'ReferralReport',
      ),
    }),
    async (c) => {
      const query = c.req.valid('query');
      const { asked } = await ask(c.get('caller'), c.req.valid('param').id, query, c.req.raw.signal);
      const { format, group } = query;
      const listing = referralListing(group);
      if (format !== 'json')
        return (await file(
          c.req.raw,
          'referrals',
          format,
          (of) => fileOf(of, listing, format),
          asked,
        )) as never;
      const [page, totals, days] = await Promise.all([
        listed(asked, listing, query),
        referralTotals(asked.warehouse, asked, asked.signal),
        referralDays(asked.warehouse, asked, asked.signal),
      ]);
      return c.json(
        {
          ...envelope(asked),
          ...page,
          totals: referralTotalsView(asked, totals, days),
          series: referralSeries(asked, days),
        },
        200,
      );
    },
  );
};
