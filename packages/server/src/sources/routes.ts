/** The register as the dashboard and other programs read it; mounted at `/api/v1`. */
import { createRoute, z } from '@hono/zod-openapi';
import { type Api, createApi } from '../common/index.ts';
import { pathOf, SOURCE_NAMES, SOURCES } from './index.ts';
import { GROUPS, type LogSource } from './source.ts';

const sourceSchema = z
  .object({
    name: z
      .enum(SOURCE_NAMES)
      .openapi({ description: 'The provider of its keys and the `source` of its hits' }),
    title: z.string(),
    key_hint: z.string().openapi({ description: 'The use of its key, to show after the title' }),
    kind: z.enum(['collector', 'log']).openapi({
      description:
        'A collector names its version and sends samples of the other traffic; a log has all lines',
    }),
    group: z.enum(GROUPS).openapi({
      description:
        'Where the site runs: at an edge, on a server, behind a log shipper or in an application; or an import of old logs',
    }),
    summary: z.string(),
    path: z.string().openapi({ description: 'Its endpoint, relative to the service’s base URL' }),
    latest_version: z.string().nullable(),
    auth: z
      .array(z.object({ place: z.enum(['header', 'query', 'bearer', 'basic']), name: z.string() }))
      .openapi({
        description:
          'Where a request may carry its key: bare, behind `Bearer`, or as the password of any user of Basic authentication',
      }),
    settings: z
      .array(
        z.object({
          name: z.string(),
          title: z.string(),
          about: z.string(),
          kind: z.enum(['text', 'secret', 'list', 'mapping']),
        }),
      )
      .openapi({ description: 'Possible settings of its keys: `PATCH /ingest-keys/{id}/settings`' }),
    setup: z.object({
      slug: z.string().openapi({ description: '`via` in the address of the setup page' }),
      about: z.string(),
      steps: z.array(
        z.object({
          title: z.string(),
          text: z.array(z.string()),
          snippets: z.array(
            z.object({
              title: z.string(),
              template: z.string().openapi({
                description:
                  '`{{base_url}}`, `{{attribution_id}}`, `{{domain}}` and `{{key}}` are to be filled in; `{{key|url}}`, `|json` and `|shell` say how they are quoted, `|host` and `|port` take a URL’s',
              }),
            }),
          ),
        }),
      ),
    }),
  })
  .openapi('LogSource');

export function sourceRoutes(): Api {
  const api = createApi();
  api.openapi(
    createRoute({
      method: 'get',
      path: '/sources',
      tags: ['sources'],
      summary:
        'The log sources that this installation takes: how to set each up, and what its hits and keys are called',
      responses: {
        200: {
          description: 'OK',
          content: { 'application/json': { schema: z.object({ items: z.array(sourceSchema) }) } },
        },
      },
    }),
    (c) => c.json({ items: SOURCES.map(view) }, 200),
  );
  return api;
}

function view({ about, auth, settings = [] }: LogSource): z.infer<typeof sourceSchema> {
  const { name, title, keyHint, kind, group, summary, latestVersion, setup } = about;
  const steps = setup.steps.map((step) => ({
    title: step.title,
    text: [...step.text],
    snippets: step.snippets.map((snippet) => ({ ...snippet })),
  }));
  return {
    name,
    title,
    key_hint: keyHint,
    kind,
    group,
    summary,
    path: pathOf(name),
    latest_version: latestVersion,
    auth: auth.map((form) => ({ ...form })),
    settings: settings.map((of) => ({ name: of.name, title: of.title, about: of.about, kind: of.kind })),
    setup: { slug: setup.slug, about: setup.about, steps },
  };
}
