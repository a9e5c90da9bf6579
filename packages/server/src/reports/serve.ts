/** Reports as routes: one for each of a register, with its files and its entry in the OpenAPI document. */
import { createRoute } from '@hono/zod-openapi';
import {
  type Api,
  createApi,
  createFileAnswers,
  dateOf,
  fileContent,
  fileName,
  givenParameters,
  idParam,
  problemResponse,
  unknownParameters,
} from '../common/index.ts';
import type { Properties } from '../properties/index.ts';
import { createContexts } from './contexts.ts';
import { linesOf } from './file.ts';
import { fileColumns, refuseColumns } from './file-columns.ts';
import { type AnyParameters, answerOf, type Report } from './report.ts';
import type { Reports } from './reports.ts';

const PATH = '/properties/{id}/reports';

const routeOf = ({ path, summary, parameters, answer, list }: Report) =>
  createRoute({
    method: 'get',
    path: `${PATH}/${path}`,
    tags: ['reports'],
    summary,
    // The columns of a file: what a table or a sheet needs to name and write them.
    ...(list === null
      ? {}
      : { 'x-columns': Object.fromEntries(list.tables.map(({ name, file }) => [name, file])) }),
    request: { params: idParam, query: parameters },
    responses: {
      200: {
        description: 'OK',
        content: {
          'application/json': { schema: answer.schema },
          ...(list === null ? {} : fileContent),
        },
      },
      404: problemResponse('No such property'),
      422: problemResponse('Not accepted'),
      503: problemResponse('The warehouse is down or busy'),
    },
  });

export function registeredRoutes(
  register: readonly Report[],
  reports: Reports,
  properties: Pick<Properties, 'get'>,
): Api {
  const api = createApi();
  const contexts = createContexts(reports, properties);
  const answerFile = createFileAnswers();
  for (const report of register)
    api.openapi(routeOf(report), async (c) => {
      const request = c.req.raw;
      // The route's own schema has read them.
      const parameters = c.req.valid('query') as AnyParameters;
      const { id } = c.req.valid('param');
      const ignored = unknownParameters(givenParameters(request.url), Object.keys(report.parameters.shape));
      const { list } = report;
      const { format = 'json' } = parameters;
      // Before anything is read: a file that has begun can't be refused.
      if (list === null || format === 'json') refuseColumns(parameters);
      else fileColumns(list, parameters);
      const context = await contexts.open(report, {
        ...{ caller: c.get('caller'), id, parameters, signal: request.signal },
      });
      if (list === null || format === 'json')
        return c.json(await answerOf(report, context, parameters, ignored), 200) as never;
      return (await answerFile({
        ...{ request, format },
        name: fileName(context.property.domain, report.name, {
          from: dateOf(context.plan.from),
          to: dateOf(context.plan.to),
        }),
        pieces: (signal) => linesOf(list, context.until(signal), parameters, format),
        timeZone: context.plan.timeZone,
        headers:
          ignored.length === 0 ? {} : { 'X-Ignored-Parameters': ignored.map(encodeURIComponent).join(', ') },
      })) as never;
    });
  return api;
}
