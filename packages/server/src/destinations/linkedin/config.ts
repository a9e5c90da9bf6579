import { z } from 'zod';
import { idField, secretField } from '../config-fields.ts';

/** Each version lives for about a year, then every request with it is answered 426. */
const DEFAULT_VERSION = '202607';

export const config = z.object({
  api_version: idField(/^20[2-9][0-9](?:0[1-9]|1[0-2])$/, 'a year and a month, as in 202607', {
    title: 'API version',
    description:
      'The version of the LinkedIn Marketing API, as year and month. LinkedIn retires a version after about a year; this destination then stops with an alarm until you enter a newer one.',
    example: DEFAULT_VERSION,
  }).default(DEFAULT_VERSION),
});
export type LinkedinConfig = z.infer<typeof config>;

const TOKENS = 'LinkedIn Developer Portal → your app → Auth → OAuth 2.0 tools';

export const credentials = z
  .object({
    access_token: secretField({
      title: 'Access token',
      description: `${TOKENS} → Create token, with the scope rw_conversions. It expires after 60 days. Not needed with a refresh token.`,
      example: 'AQXNnd2kXITHELmWblJigbHEuoFdfRhOwGA0QNnumBI8X',
    }).optional(),
    client_id: secretField({
      title: 'Client ID',
      description:
        'LinkedIn Developer Portal → your app → Auth → Application credentials. Only with a refresh token.',
      example: '77n2ypevgexample',
    }).optional(),
    client_secret: secretField({
      title: 'Client secret',
      description: 'Next to the client ID: Primary client secret. Only with a refresh token.',
      example: 'WPL_AP1.example.secret',
    }).optional(),
    refresh_token: secretField({
      title: 'Refresh token',
      description: `${TOKENS}; LinkedIn gives it to approved partners. With it, the access token is renewed before it expires, for up to a year.`,
      example: 'AQWAft_WjYZKwuWXLC5hQlghgTam-tuT8CvFej9-XxGyqeER',
    }).optional(),
  })
  .refine(
    (given) => given.access_token !== undefined || refreshGrantOf(given) !== null,
    'Needs an access token, or client ID, client secret and refresh token together.',
  );

/** What access tokens are fetched with, or null where not all of it is given. */
export function refreshGrantOf(
  given: Readonly<Record<string, string | undefined>>,
): Readonly<Record<'client_id' | 'client_secret' | 'refresh_token', string>> | null {
  const { client_id, client_secret, refresh_token } = given;
  if (client_id === undefined || client_secret === undefined || refresh_token === undefined) return null;
  return { client_id, client_secret, refresh_token };
}
