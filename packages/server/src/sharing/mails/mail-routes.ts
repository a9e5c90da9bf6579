/** The mail of a person and a property, and the address that ends it. */
import { createRoute, z } from '@hono/zod-openapi';
import {
  type Api,
  body,
  type Caller,
  createApi,
  json,
  type PersonCaller,
  problemResponse,
  ServiceError,
} from '../../common/index.ts';
import type { Properties } from '../../properties/index.ts';
import type { ReportMailRow, ReportMails } from './report-mails.ts';

/** Below the account, as it is a person's own: a person who sees a property may order a mail of its reports. */
const PATH = '/account/report-mails/{property_id}';

const scheduleSchema = z.object({
  every: z.enum(['week', 'month']),
  day: z.number().int().min(1).max(28).openapi({
    description: 'Of a week 1 (Monday) to 7, of a month 1 to 28',
  }),
  hour: z.number().int().min(0).max(23).openapi({ description: 'In the property’s time zone' }),
});
const newSchema = scheduleSchema
  .refine(({ every, day }) => every === 'month' || day <= 7, {
    path: ['day'],
    message: 'A week has the days 1 to 7.',
  })
  .openapi('NewReportMail');
const stateSchema = z
  .object({
    available: z.boolean().openapi({ description: 'Whether this installation sends mail' }),
    mail: scheduleSchema
      .extend({
        next_at: z.iso.datetime(),
        last_sent_at: z.iso.datetime().nullable(),
        last_error: z.string().nullable().openapi({ description: 'Why the newest attempt failed' }),
      })
      .nullable()
      .openapi({ description: 'null: you get none of this property' }),
  })
  .openapi('ReportMail');

const propertyParam = z.object({
  property_id: z
    .guid('Enter the attribution ID, a UUID.')
    .openapi({ param: { name: 'property_id', in: 'path' } }),
});

export interface MailRoutesDeps {
  readonly properties: Pick<Properties, 'get'>;
  readonly mails: ReportMails;
}

/** Mounted at `/api/v1`. */
export function mailRoutes({ properties, mails }: MailRoutesDeps): Api {
  const api = createApi();
  const parts = { path: PATH, tags: ['sharing'], 'x-need': 'person' };
  const params = { params: propertyParam };
  const own = async (caller: Caller, id: string) => ({
    person: personIn(caller),
    property: await properties.get(caller.scope, id),
  });
  const refused = {
    403: problemResponse('Only for people who signed in'),
    404: problemResponse('No such property'),
  };
  const state = (row: ReportMailRow | null): z.infer<typeof stateSchema> => ({
    available: mails.available,
    mail:
      row === null
        ? null
        : {
            ...{ every: row.every, day: row.day, hour: row.hour, last_error: row.last_error },
            next_at: new Date(row.next_at).toISOString(),
            last_sent_at: row.last_sent_at === null ? null : new Date(row.last_sent_at).toISOString(),
          },
  });

  api.openapi(
    createRoute({
      ...parts,
      method: 'get',
      summary: 'Your email report for this property',
      request: params,
      responses: { 200: json(stateSchema), ...refused },
    }),
    async (c) => {
      const { person, property } = await own(c.get('caller'), c.req.valid('param').property_id);
      return c.json(state(await mails.of(person, property)), 200);
    },
  );
  api.openapi(
    createRoute({
      ...parts,
      method: 'put',
      summary: 'Get an email report for the property every week or month',
      request: { ...params, body: body(newSchema) },
      responses: {
        200: json(stateSchema),
        ...refused,
        409: problemResponse('This installation sends no mail'),
        422: problemResponse('Not accepted'),
      },
    }),
    async (c) => {
      const { person, property } = await own(c.get('caller'), c.req.valid('param').property_id);
      return c.json(state(await mails.set(person, property, c.req.valid('json'))), 200);
    },
  );
  api.openapi(
    createRoute({
      ...parts,
      method: 'delete',
      summary: 'Unsubscribe from the property’s email report',
      request: params,
      responses: { 204: { description: 'Stopped' }, ...refused },
    }),
    async (c) => {
      const { person, property } = await own(c.get('caller'), c.req.valid('param').property_id);
      await mails.remove(person, property);
      return c.body(null, 204);
    },
  );
  api.openapi(
    createRoute({
      ...parts,
      method: 'post',
      path: `${PATH}/test`,
      summary: 'Send the mail to yourself now',
      request: params,
      responses: {
        204: { description: 'The mail server took it' },
        ...refused,
        409: problemResponse('This installation sends no mail'),
        429: problemResponse('One a minute'),
        503: problemResponse('The mail server did not accept it'),
      },
    }),
    async (c) => {
      const { person, property } = await own(c.get('caller'), c.req.valid('param').property_id);
      await mails.test(person, property);
      return c.body(null, 204);
    },
  );
  return api;
}

function personIn(caller: Caller): PersonCaller {
  if (caller.kind === 'person') return caller;
  throw new ServiceError('forbidden', 'Email reports go to a person: sign in with your own account.');
}

const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'",
  'X-Robots-Tag': 'noindex, nofollow',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
};

const page = (content: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow"><meta name="color-scheme" content="light dark"><title>Email reports · Ghostlight</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 1.5rem}button{font:inherit;padding:.5rem 1rem}</style>
</head><body>${content}</body></html>
`;

const tokenParam = z.object({
  token: z
    .string()
    .max(100)
    .openapi({ param: { name: 'token', in: 'path' } }),
});

/** Mounted at `/`. Mail clients open addresses by themselves, so opening it ends nothing: RFC 8058 has a POST for that, and so has the page. */
export function unsubscribeRoutes({ mails }: Pick<MailRoutesDeps, 'mails'>): Api {
  const api = createApi();
  const parts = { path: '/share/unsubscribe/{token}', tags: ['sharing'], security: [] };
  const html = { 'text/html': { schema: z.string() } };
  api.openapi(
    createRoute({
      ...parts,
      method: 'get',
      summary: 'A page that ends the mail by a button',
      request: { params: tokenParam },
      responses: { 200: { description: 'OK', content: html }, 404: problemResponse('No such mail') },
    }),
    (c) => {
      mails.check(c.req.valid('param').token);
      return c.body(
        page(
          '<h1>Unsubscribe from these reports?</h1><p>You will no longer receive email reports for this property. You can subscribe again under Sharing.</p><form method="post"><button>Unsubscribe</button></form>',
        ),
        200,
        PAGE_HEADERS,
      ) as never;
    },
  );
  api.openapi(
    createRoute({
      ...parts,
      method: 'post',
      summary: 'End the mail: what a mail client calls (RFC 8058)',
      request: { params: tokenParam },
      responses: {
        200: { description: 'It has ended', content: html },
        404: problemResponse('No such mail'),
      },
    }),
    async (c) => {
      await mails.unsubscribe(c.req.valid('param').token);
      return c.body(
        page('<h1>Unsubscribed</h1><p>You will no longer receive email reports for this property.</p>'),
        200,
        PAGE_HEADERS,
      ) as never;
    },
  );
  return api;
}
