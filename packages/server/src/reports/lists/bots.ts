/** Which AI bots came. */
import { createRoute, z } from '@hono/zod-openapi';
import { idParam } from '../../shared/index.ts';
import {
  BOT_COLUMNS,
  BOT_SORTS,
  type BotItem,
  type BotQuery,
  botItemSchema,
  botItems,
  botSeries,
  botSeriesSchema,
  botTotalsSchema,
  botTotalsView,
  byIntentSchema,
  byIntentView,
  readBots,
  readDays,
} from '../bots.ts';
import { type Asked, envelope } from '../context.ts';
import { written } from '../listing.ts';
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
      const { format, limit, page_number } = query;
      if (format !== 'json') {
        const pieces = (of: typeof asked) => written(of, exported(of, query), BOT_COLUMNS, format);
        return (await file(c.req.raw, 'bots', format, pieces, asked)) as never;
      }
      const reading = await readBots(asked, query);
      const { rows, bots: all } = reading;
      const shown = rows.slice((page_number - 1) * limit, page_number * limit);
      return c.json(
        {
          ...envelope(asked),
          items: botItems(asked, query, shown, reading),
          ...{ total: rows.length, page_number, limit },
          totals: botTotalsView(asked, reading),
          by_intent: byIntentView(asked, all),
          series: botSeries(asked, await readDays(asked, all)),
        },
        200,
      );
    },
  );
};

/** Without the hits of each day, for which a cell has no place. */
async function* exported(asked: Asked, query: BotQuery): AsyncGenerator<BotItem[]> {
  const reading = await readBots(asked, query);
  const items = botItems(asked, query, reading.rows, reading);
  yield items.map((item) => ({ ...item, series: [] }));
}
