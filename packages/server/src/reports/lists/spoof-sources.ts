/** Where they come from who were not. */
import { createRoute } from '@hono/zod-openapi';
import { idParam } from '../../shared/index.ts';
import { envelope, ofAll } from '../context.ts';
import { fileOf, listed } from '../listing.ts';
import { reportQuery } from '../query.ts';
import { SOURCE_SORTS, sourceItemSchema, sourceListing } from '../trust.ts';
import { type AddList, PATH, responses, sorted, tags } from './parts.ts';

export const spoofSources: AddList = (api, { ask, file }) => {
  api.openapi(
    createRoute({
      method: 'get',
      path: `${PATH}/trust/sources`,
      tags,
      summary: 'Where spoofed visits come from, by network and country',
      request: { params: idParam, query: reportQuery.extend(sorted(SOURCE_SORTS)) },
      responses: responses(sourceItemSchema, {}, 'SpoofSources'),
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
          'spoof-sources',
          format,
          (of) => fileOf(of, sourceListing, format),
          asked,
        )) as never;
      return c.json({ ...envelope(asked), ...(await listed(asked, sourceListing, query)) }, 200);
    },
  );
};
