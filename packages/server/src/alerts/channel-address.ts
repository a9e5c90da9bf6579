/** Where a channel leads: read from what was entered, encrypted as one value, and shown without its secret parts. */
import type { FieldError } from '../common/index.ts';

export type ChannelAddress =
  | { readonly type: 'email'; readonly to: string }
  | { readonly type: 'slack'; readonly url: string }
  | { readonly type: 'webhook'; readonly url: string; readonly secret: string };
export const CHANNEL_TYPES = [
  'email',
  'slack',
  'webhook',
] as const satisfies readonly ChannelAddress['type'][];
export type ChannelType = (typeof CHANNEL_TYPES)[number];

const MAX_URL = 2_048;
/** One recipient, nothing that a mail header could take for more: no comma, no space, no line break, no angle bracket. */
const EMAIL = /^[^\s@,;:<>()"\\\p{Cc}]{1,64}@(?=.{1,253}$)[a-z0-9-]+(?:\.[a-z0-9-]+)+$/iu;
const SLACK = /^https:\/\/hooks\.slack\.com\/[A-Za-z0-9/_-]{1,500}$/;
const HOST = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*$/;

/** Why it can't be one; null: it can. */
export function mistakeIn(type: ChannelType, target: string): FieldError | null {
  switch (type) {
    case 'email':
      return EMAIL.test(target)
        ? null
        : { pointer: '/target', message: 'Must be one email address, such as ops@shop.example.' };
    case 'slack':
      return SLACK.test(target)
        ? null
        : {
            pointer: '/target',
            message: 'Must be the address of an incoming webhook: https://hooks.slack.com/…',
          };
    case 'webhook':
      return isPublicHttps(target)
        ? null
        : {
            pointer: '/target',
            message:
              'Must be an https URL such as https://ops.example/alerts, with a host name and without a user name or #.',
          };
  }
}

/** Whether the name is private is checked when it is resolved; IP addresses have no certificates. */
function isPublicHttps(text: string): boolean {
  const url = URL.parse(text);
  if (text.length > MAX_URL || url?.protocol !== 'https:') return false;
  return url.username === '' && url.password === '' && url.hash === '' && HOST.test(url.hostname);
}

/** The paths of webhooks commonly hold a key: of them the host alone is shown. */
export function shownTarget(address: ChannelAddress): string {
  return address.type === 'email' ? address.to : new URL(address.url).host;
}
