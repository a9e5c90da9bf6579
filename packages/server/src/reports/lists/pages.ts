/** What AI bots read. */
import { createRoute, z } from '@hono/zod-openapi';
import { idParam } from '../../shared/index.ts';
import { pageTotals } from '../../warehouse/index.ts';
import { envelope } from '../context.ts';
import { fileOf, listed } from '../listing.ts';
import {
  botPageItemSchema,
  botPageListing,
  folderItemSchema,
  folderListing,
  kindShape,
  PAGE_GROUPS,
  PAGE_SORTS,
  pageItemSchema,
  pageListing,
  pageTotalsSchema,
  pageTotalsView,
} from '../pages.ts';
import { reportQuery } from '../query.ts';
import { type AddList, PATH, responses, sorted, tags } from './parts.ts';

export const pages: AddList = (api, { ask, file }) => {
  api.openapi(
    createRoute({
      method: 'get',
      path: `${PATH}/pages`,
      tags,
      summary: 'What AI bots read: by page, by folder, or by bot and page',
      request: {
        params: idParam,
        query: reportQuery.extend({
          ...kindShape,
          group: z.enum(PAGE_GROUPS).default('page'),
          prefix: z
            .string()
            .max(4096)
            .regex(/^\/(?:.*\/)?$/, 'A folder begins and ends with a slash.')
            .default('/')
            .openapi({ description: 'Of `group=folder`: whose children are listed' }),
          ...sorted(PAGE_SORTS),
        }),
      },
      responses: responses(
        z.union([pageItemSchema, botPageItemSchema, folderItemSchema]),
        { totals: pageTotalsSchema },
        'PageReport',
      ),
    }),
    async (c) => {
      const query = c.req.valid('query');
      const { asked } = await ask(c.get('caller'), c.req.valid('param').id, query, c.req.raw.signal);
      const { format, group, kind, prefix } = query;
      // Only folders have a number of pages to sort by.
      const sort = query.sort === 'pages' && group !== 'folder' ? 'hits' : query.sort;
      if (format !== 'json') {
        const pieces = (of: typeof asked) =>
          group === 'page'
            ? fileOf(of, pageListing(kind), format)
            : group === 'folder'
              ? fileOf(of, folderListing(prefix, kind, of), format)
              : fileOf(of, botPageListing(kind), format);
        return (await file(c.req.raw, 'pages', format, pieces, asked)) as never;
      }
      const list = { ...query, sort };
      const [page, totals] = await Promise.all([
        group === 'page'
          ? listed(asked, pageListing(kind), list)
          : group === 'folder'
            ? listed(asked, folderListing(prefix, kind, asked), list)
            : listed(asked, botPageListing(kind), list),
        pageTotals(asked.warehouse, asked, kind, group, asked.signal),
      ]);
      return c.json({ ...envelope(asked), ...page, totals: pageTotalsView(asked, totals) }, 200);
    },
  );
};
