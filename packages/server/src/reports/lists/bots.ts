/** Which AI bots came. */
import { createRoute, z } from '@hono/zod-openapi';
import { idParam } from '../../kit/index.ts';
import { botTotals } from '../../warehouse/index.ts';
import {
  BOT_SORTS,
  botItemSchema,
  botListing,
  botSeries,
  botSeriesSchema,
  botSummary,
  botTotalsSchema,
  botTotalsView,
  byIntentSchema,
  byIntentView,
} from '../bots.ts';
import { envelope } from '../context.ts';
import { fileOf, listed } from '../listing.ts';
import { reportQuery } from '../query.ts';
import { type AddList, PATH, responses, sorted, tags } from './parts.ts';

export const bots: AddList = (api, { ask, file }) => {
  api.openapi(
    createRoute({
      method: 'get',
      path: `${PATH}/bots`,
      tags,
      summary: 'Which AI bots came, how often and for what',
      request: {
        params: idParam,
        query: reportQuery.extend({ group: z.enum(['bot', 'vendor']).default('bot'), ...sorted(BOT_SORTS) }),
      },
      responses: responses(
        botItemSchema,
        { totals: botTotalsSchema, by_intent: byIntentSchema, series: botSeriesSchema },
        'BotReport',
      ),
    }),
    async (c) => {
      const query = c.req.valid('query');
      const { asked } = await ask(c.get('caller'), c.req.valid('param').id, query, c.req.raw.signal);
      const { format } = query;
      if (format !== 'json') {
        const { hits } = await botTotals(asked.warehouse, asked, asked.signal);
        const listing = botListing(asked, query.group, hits);
        return (await file('bots', format, (of) => fileOf(of, listing, format), asked)) as never;
      }
      const { totals, days } = await botSummary(asked);
      const page = await listed(asked, botListing(asked, query.group, totals.hits), query);
      return c.json(
        {
          ...envelope(asked),
          ...page,
          totals: botTotalsView(asked, totals),
          by_intent: byIntentView(asked, days),
          series: botSeries(asked, days),
        },
        200,
      );
    },
  );
};
