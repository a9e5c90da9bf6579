/** Texts for alerts and channels. */
import { MINUTE_MS } from '@ghostlight/core/time';
import { countText } from '../../features/reports/figures.ts';
import {
  FILTERED_PAGES,
  type FilteredPage,
  type ReportSearch,
  readReportSearch,
} from '../../features/reports/search.ts';
import type { Tone, Words } from '../../parts/Sign.tsx';
import type { Alert, AlertRule, Channel, ChannelType, Told } from './api.ts';

export const CHANNEL_NAMES: Readonly<Record<ChannelType, string>> = {
  email: 'Email',
  slack: 'Slack',
  webhook: 'Webhook',
};

const NEWS: ReadonlySet<string> = new Set(['new_bot', 'ai_referral_first']);

/** An event that is not a problem. */
export const isNews = ({ kind }: Pick<Alert, 'kind'>): boolean => NEWS.has(kind);

/** How long an alert held, by its two largest units: `45 min`, `4 h 15 min`, `2 d 19 h`. */
export function lastedText(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / MINUTE_MS));
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60];
  const parts =
    days > 0
      ? [
          [days, 'd'],
          [hours, 'h'],
        ]
      : [
          [hours, 'h'],
          [rest, 'min'],
        ];
  return parts.flatMap(([count, unit]) => (count === 0 ? [] : [`${count} ${unit}`])).join(' ');
}

/** Only a problem that holds is marked: the list has resolved ones below their own heading. */
export function markOf({ kind, state }: Pick<Alert, 'kind' | 'state'>): { tone: Tone; title: string } | null {
  return state === 'open' && !isNews({ kind }) ? { tone: 'bad', title: 'Open' } : null;
}

/** `6.4`: how many times its baseline the peak was. null: there is no baseline to multiply, or hours and losses are counted. */
export function timesBaseline({ now, usual, unit }: Alert['figures']): string | null {
  if (usual === null || usual <= 0 || now <= usual || unit === 'hours' || unit === 'deliveries') return null;
  const times = now / usual;
  return times < 10 ? times.toFixed(1).replace('.0', '') : countText(Math.round(times));
}

/** The rule's sentence around its threshold: `[before, '3', after]`, or `[before, '25%', after]`. */
export function sentenceOf({
  description,
  threshold,
}: AlertRule): [before: string, n: string, after: string] {
  const [before = '', after = ''] = description.split('{n}');
  const [sign, rest] = after.startsWith('%') ? ['%', after.slice(1)] : ['', after];
  return [before, `${threshold.toLocaleString('en')}${sign}`, rest];
}

/** The label of its field, whose unit follows the number. */
export const thresholdLabel = ({ fires }: Pick<AlertRule, 'fires'>): string =>
  fires === 'below' ? 'Alert below' : 'Alert at';

/** What its field counts: `1 visit`, `2 visits`, `1 visit a day`. */
export const unitOf = ({ unit }: Pick<AlertRule, 'unit'>, value: number): string =>
  value === 1 ? unit.replace(/^(visit|referral|hour)s/, '$1') : unit;

/** What the chart of a rule's last 30 days draws. */
export const CHART_TITLES: Readonly<Record<AlertRule['kind'], string>> = {
  new_bot: 'Visits of the busiest new bot, by day',
  spike: 'Times the baseline by day',
  drop_to_zero: 'Usual visits of bots that stopped, by day',
  spoof_surge: 'Spoofed visits in the busiest hour, by day',
  bot_errors: 'Errors by day, in %',
  collector_quiet: 'Longest gap by day, in hours',
  forwarding_failing: 'Accepted deliveries by day, in %',
  ai_referral_first: 'Referrals of the busiest new engine, by day',
  quota: 'Quota used by day, in %',
};

/** Why a message failed, and what to do. */
export function failureText(error: string | null): string {
  if (error === null) return '';
  const status = /^http_(\d{3})$/.exec(error)?.[1];
  if (status !== undefined)
    return status === '404' || status === '410'
      ? `It answered ${status}: the address no longer exists. Create a new one and enter it here.`
      : `It answered ${status}.`;
  if (error.startsWith('mail_')) {
    const word = error.slice('mail_'.length);
    return MAIL_FAILURES[word] ?? `The mail server answered with an error (${word}). Look at its log.`;
  }
  return FAILURES[error] ?? `It failed (${error}).`;
}

/** What to do about SMTP_URL, by the code of the failure. */
const MAIL_FAILURES: Readonly<Record<string, string>> = {
  EAUTH:
    'The mail server rejected the name or password in SMTP_URL. Check both; signs such as @ and / must be percent-encoded, and some providers want an app password.',
  ECONNREFUSED:
    'Nothing listens at the host and port of SMTP_URL. Check both: 587 is usual for smtp://, 465 for smtps://.',
  ETIMEDOUT:
    'The mail server did not answer in time. Check host and port of SMTP_URL, and that a firewall lets this service through; many hosters block port 25.',
  EDNS: 'The host in SMTP_URL does not exist. Check its spelling.',
  ECERT:
    'The certificate of the mail server is not valid for the host in SMTP_URL. Use the name in the certificate, or have it renewed.',
  ETLS: 'TLS with the mail server failed. Use smtps:// for port 465, and smtp:// for 587 and 25.',
  ESENDER:
    'The mail server does not accept the sender in MAIL_FROM. Use an address that this account may send from.',
  ERECIPIENT: 'The mail server does not accept this recipient. Check the address of the channel.',
  ESOCKET: 'The connection to the mail server broke off. Check host and port of SMTP_URL.',
  ECONNECTION: 'The connection to the mail server broke off. Check host and port of SMTP_URL.',
  EPROTOCOL: 'What answers at SMTP_URL is not a mail server. Check host and port.',
  busy: 'Too many mails are being sent at this moment. Try again.',
};

const FAILURES: Readonly<Record<string, string>> = {
  timeout: 'It did not answer within 10 seconds.',
  unreachable: 'It could not be reached.',
  no_such_host: 'The host does not exist.',
  bad_certificate: 'Its certificate is not valid.',
  private_address: 'The host resolves to a private network, which is not allowed.',
  no_mail: 'This service sends no mail: SMTP_URL and MAIL_FROM are not set.',
  channel_off: 'The channel was turned off or removed.',
  unreadable: 'Its address can’t be decrypted with this SECRET_KEY; enter it again.',
  too_many: 'The limit of 20 messages an hour was exceeded for a day.',
};

/** `sent`, or why not. */
export function toldText({ ok, phase, error, attempts }: Told): string {
  const what = phase === 'resolved' ? 'sent (resolved)' : 'sent';
  if (ok === true) return what;
  if (ok === false) return `not ${what}. ${failureText(error)}`;
  return attempts === 0 ? 'queued' : `not ${what} yet, will be retried. ${failureText(error)}`;
}

/** What became of the alert that a channel was sent last. */
export function lastWords(last: NonNullable<Channel['last']>): Words {
  if (last.ok === true) return { tone: 'good', title: 'Last alert sent' };
  if (last.ok === false) return { tone: 'bad', title: 'Last alert not sent' };
  if (last.error === null) return { tone: 'wait', title: 'Alert being sent', sign: 'arrow' };
  return { tone: 'wait', title: 'Last alert will be sent again', sign: 'again' };
}

/** What the link of an alert opens, by its name: `View GPTBot`. */
export function viewOf({ kind, subject }: Pick<Alert, 'kind' | 'subject'>): string {
  switch (kind) {
    case 'new_bot':
    case 'spike':
    case 'drop_to_zero':
      return `View ${subject}`;
    case 'spoof_surge':
      return 'View spoofed visits';
    case 'bot_errors':
      return 'View failures';
    case 'collector_quiet':
      return 'View collectors';
    case 'forwarding_failing':
      return 'View the destination';
    case 'ai_referral_first':
      return 'View referrals';
    case 'quota':
      return 'View the quota';
  }
}

/** Parses the link of an alert for the router. */
type AlertTarget =
  | { readonly to: 'report'; readonly page: FilteredPage; readonly search: ReportSearch }
  | { readonly to: 'destination'; readonly destinationId: string }
  | { readonly to: 'quota' };

/** @param link such as `/bots?bot=GPTBot&from=…&to=…` @returns null for an unknown page */
export function targetOf(link: string): AlertTarget | null {
  const { pathname, searchParams } = new URL(link, 'https://dashboard.invalid');
  const [, page, destinationId] = pathname.split('/');
  if (page === 'destinations' && destinationId !== undefined) return { to: 'destination', destinationId };
  // Only the rule of the quota leads there.
  if (page === 'settings') return { to: 'quota' };
  const report = FILTERED_PAGES.find((name) => name === page);
  if (report === undefined) return null;
  return { to: 'report', page: report, search: readReportSearch(Object.fromEntries(searchParams)) };
}
