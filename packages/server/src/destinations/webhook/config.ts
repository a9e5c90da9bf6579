import { z } from 'zod';
import { readHeaders } from './headers.ts';

const MAX_URL = 2048;

export const config = z.object({
  url: z
    .string()
    .trim()
    .max(MAX_URL, `Must have at most ${MAX_URL} characters.`)
    .refine(isPublicHttps, {
      message:
        'Must be an https URL such as https://crm.example/conversions, with a host name and without a user name or #.',
    })
    .refine((url) => !url.includes('…'), {
      message: 'This is the shortened form. Enter the full URL, or leave the field unchanged.',
    })
    .meta({
      title: 'URL',
      description:
        'Where conversions are posted to, one per request. It is stored encrypted, because it may contain a key; only the host and the beginning of the path are shown. It must be reachable from the internet and answer directly: redirects are not followed.',
      examples: ['https://crm.example/hooks/conversions'],
    }),
  consent: z
    .enum(['advertising', 'analytics', 'none'])
    .default('advertising')
    .meta({
      title: 'Required consent',
      description:
        'The consent that a customer must not have denied. Choose “none” only if the receiver needs no consent, such as your own accounting: without consent to advertising neither personal data nor click IDs are sent.',
      examples: ['advertising'],
    }),
  user_data: z
    .enum(['hashed', 'none'])
    .default('hashed')
    .meta({
      title: 'Personal data',
      description:
        'hashed: SHA-256 of email (trimmed, lower case), phone (+ and digits) and names, and the country. none: no personal data.',
      examples: ['hashed'],
    }),
});
export type Config = z.infer<typeof config>;

const SECRET = /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/;

const signingSecret = z.string().trim().regex(SECRET, 'Must be whsec_ and 24 to 64 bytes in base64.');

export const credentials = z.object({
  signing_secret: signingSecret.meta({
    title: 'Signing secret',
    description:
      'The receiver uses it to verify that a request comes from Ghostlight (standardwebhooks.com). Use the one from your receiver, or generate one here and enter it there.',
    examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    /** The form offers to make one: `whsec_` and 32 random bytes in base64. */
    generate: 'whsec',
  }),
  previous_signing_secret: signingSecret
    .meta({
      title: 'Previous signing secret (optional)',
      description:
        'While you rotate the secret, requests are signed with both, so that the receiver can switch at any time. Remove it afterwards.',
      examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'],
    })
    .optional(),
  headers: z
    .string()
    .max(4096, 'Must have at most 4096 characters.')
    .refine((text) => readHeaders(text) !== null, {
      message: 'Must be lines such as “X-Api-Key: abc”, at most 10, and none that Ghostlight sets itself.',
    })
    .meta({
      title: 'Headers (optional)',
      description: 'Additional headers for the receiver, one per line: name, colon, value.',
      examples: ['Authorization: Bearer abc123'],
      multiline: true,
    })
    .optional(),
});

/** Whether the address is private is checked when its name is resolved; there are no certificates for IP addresses. */
function isPublicHttps(text: string): boolean {
  const url = URL.parse(text);
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '' || url.hash !== '')
    return false;
  return /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*$/.test(url.hostname);
}
