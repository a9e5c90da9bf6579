/** The second factor of one's own account; mounted at `/api/v1`. */
import { createRoute, z } from '@hono/zod-openapi';
import { encode } from 'uqr';
import { type Api, body, createApi, json, problemResponse } from '../common/index.ts';
import { type AccountRoutesDeps, peerOf } from './open-routes.ts';
import { OWN, personOf } from './own-routes.ts';
import { codeSchema, passwordSchema } from './views.ts';

const totpSchema = z
  .object({
    secret: z.string().openapi({ description: 'Base 32, for people who type it' }),
    uri: z.string(),
    qr: z.object({ size: z.number().int(), rows: z.array(z.string()) }).openapi({
      description: 'The URI as a QR code: rows of 0 and 1, to be drawn with a quiet zone of 4 modules',
    }),
  })
  .openapi('TotpSetup');
const codesSchema = z.object({ recovery_codes: z.array(z.string()) }).openapi('RecoveryCodes');

export function secondFactorRoutes({ accounts: { own }, peer }: AccountRoutesDeps): Api {
  const api = createApi();

  api.openapi(
    createRoute({
      ...OWN,
      method: 'post',
      path: '/account/totp',
      summary:
        'Begin two-factor authentication: a secret for your authenticator, nothing yet until it is confirmed',
      request: { body: body(z.object({ password: passwordSchema })) },
      responses: {
        200: json(totpSchema),
        409: problemResponse('One is already on'),
        422: problemResponse('Wrong password'),
      },
    }),
    async (c) => {
      const { secret, uri } = await own.beginSecondFactor(
        personOf(c),
        c.req.valid('json').password,
        peerOf(c, peer).ip,
      );
      const { size, data } = encode(uri, { ecc: 'M', border: 0 });
      const rows = data.map((row) => row.map((dark) => (dark ? '1' : '0')).join(''));
      return c.json({ secret, uri, qr: { size, rows } }, 200);
    },
  );

  api.openapi(
    createRoute({
      ...OWN,
      method: 'post',
      path: '/account/totp/confirm',
      summary: 'Turn two-factor authentication on; the recovery codes are shown only once',
      request: { body: body(z.object({ code: codeSchema })) },
      responses: {
        200: json(codesSchema),
        409: problemResponse('Nothing to confirm'),
        422: problemResponse('Wrong code'),
      },
    }),
    async (c) =>
      c.json({ recovery_codes: await own.confirmSecondFactor(personOf(c), c.req.valid('json').code) }, 200),
  );

  api.openapi(
    createRoute({
      ...OWN,
      method: 'post',
      path: '/account/totp/disable',
      summary: 'Turn two-factor authentication off',
      request: { body: body(z.object({ password: passwordSchema, code: codeSchema })) },
      responses: { 204: { description: 'Off' }, 422: problemResponse('Wrong password or code') },
    }),
    async (c) => {
      const { password, code } = c.req.valid('json');
      await own.turnOffSecondFactor(personOf(c), password, code, peerOf(c, peer).ip);
      return c.body(null, 204);
    },
  );

  api.openapi(
    createRoute({
      ...OWN,
      method: 'post',
      path: '/account/recovery-codes',
      summary: 'New recovery codes that replace all old ones, shown only once',
      request: { body: body(z.object({ password: passwordSchema })) },
      responses: {
        200: json(codesSchema),
        409: problemResponse('Two-factor authentication is off'),
        422: problemResponse('Wrong password'),
      },
    }),
    async (c) => {
      const { password } = c.req.valid('json');
      return c.json(
        { recovery_codes: await own.renewRecoveryCodes(personOf(c), password, peerOf(c, peer).ip) },
        200,
      );
    },
  );

  return api;
}
