/** Reports that are one answer: overview, shares, funnel, collectors, filters. */
import { createRoute, type z } from '@hono/zod-openapi';
import { type Api, createApi, idParam, json, problemResponse } from '../shared/index.ts';
import { aiShare, aiShareSchema } from './ai-share.ts';
import type { Asking } from './asking.ts';
import { collectors, collectorsSchema } from './collectors.ts';
import { type Asked, envelope, envelopeSchema, ofAll } from './context.ts';
import { filters, filtersSchema } from './filters.ts';
import { funnel, funnelSchema } from './funnel.ts';
import { overview, overviewSchema } from './overview.ts';
import { reportQuery } from './query.ts';
import type { Reports } from './reports.ts';

const tags = ['reports'];

const routeOf = <S extends z.ZodRawShape>(
  path: string,
  summary: string,
  schema: z.ZodObject<S>,
  name: string,
) =>
  createRoute({
    method: 'get',
    path: `/properties/{id}/reports/${path}`,
    tags,
    summary,
    request: { params: idParam, query: reportQuery },
    responses: {
      200: json(envelopeSchema.extend(schema.shape).openapi(name)),
      404: problemResponse('No such property'),
      422: problemResponse('Not accepted'),
      503: problemResponse('The warehouse is away or busy'),
    },
  });

/** The period as conversions are asked for: epoch milliseconds, the end outside. */
const momentsOf = ({ plan: { from, to, startOf } }: Asked) => ({ from: startOf(from), to: startOf(to + 1) });

export function answerRoutes(reports: Reports, { ask }: Asking): Api {
  const api = createApi();

  api.openapi(
    routeOf(
      'overview',
      'What each report would say in a line; compares unless told not to',
      overviewSchema,
      'Overview',
    ),
    async (c) => {
      const query = {
        ...c.req.valid('query'),
        compare: c.req.valid('query').compare ?? ('previous' as const),
      };
      const { asked, property } = await ask(
        c.get('caller'),
        c.req.valid('param').id,
        query,
        c.req.raw.signal,
      );
      const answer = await overview(asked, property, momentsOf(asked), reports.conversions);
      return c.json({ ...envelope(asked), ...answer }, 200);
    },
  );

  api.openapi(
    routeOf('ai-share', 'What part of the traffic is AI, with a 95 % interval', aiShareSchema, 'AiShare'),
    async (c) => {
      const query = c.req.valid('query');
      const { asked } = await ask(c.get('caller'), c.req.valid('param').id, query, c.req.raw.signal);
      return c.json({ ...envelope(asked), ...(await aiShare(asked)) }, 200);
    },
  );

  api.openapi(
    routeOf('funnel', 'Crawled, referred and converted per engine, side by side', funnelSchema, 'Funnel'),
    async (c) => {
      const query = c.req.valid('query');
      const { asked, property } = await ask(
        c.get('caller'),
        c.req.valid('param').id,
        query,
        c.req.raw.signal,
      );
      return c.json(
        { ...envelope(asked), ...(await funnel(asked, property, momentsOf(asked), reports)) },
        200,
      );
    },
  );

  api.openapi(
    routeOf(
      'collectors',
      'What sends hits: versions, rates, hosts, and who is silent',
      collectorsSchema,
      'Collectors',
    ),
    async (c) => {
      const query = c.req.valid('query');
      const { asked: narrowed } = await ask(
        c.get('caller'),
        c.req.valid('param').id,
        query,
        c.req.raw.signal,
      );
      // Rows that were received, whatever they are.
      const asked = ofAll(narrowed);
      return c.json({ ...envelope(asked), ...(await collectors(asked, reports.clock())) }, 200);
    },
  );

  api.openapi(
    routeOf(
      'filters',
      'For each filter the values that occur in the period under all the other filters, at most 500 each',
      filtersSchema,
      'ReportFilters',
    ),
    async (c) => {
      const query = c.req.valid('query');
      const { asked } = await ask(c.get('caller'), c.req.valid('param').id, query, c.req.raw.signal);
      return c.json({ ...envelope(asked), ...(await filters(asked)) }, 200);
    },
  );

  return api;
}
