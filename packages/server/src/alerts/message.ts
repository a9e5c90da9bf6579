/** What is said of an alert, in the form that each channel takes. */
import { Webhook } from 'standardwebhooks';
import { momentIn } from '../common/index.ts';
import type { Mail, OutboundRequest } from '../outbound/index.ts';
import type { ChannelAddress } from './channel-address.ts';
import { FACTS, figuresOf, type Kind } from './kinds.ts';

export interface Message {
  /** The same in every attempt: a receiver that keeps ids takes each once. */
  readonly id: string;
  readonly phase: 'opened' | 'resolved' | 'test';
  readonly property: {
    readonly id: string;
    readonly name: string;
    readonly domain: string;
    readonly timeZone: string;
  };
  readonly alert: {
    readonly id: string;
    readonly kind: Kind;
    readonly subject: string;
    /** Epoch ms. */
    readonly at: number;
    readonly resolvedAt: number | null;
    readonly title: string;
    readonly text: string;
    readonly now: number;
    readonly usual: number | null;
    readonly unit: string;
    /** Absolute. */
    readonly link: string;
  };
}

const MAX_SUBJECT = 150;
/** Slack takes 3,000 characters of markup in a section; what is left of them is the link's. */
const MAX_SLACK = { headline: 400, body: 1_200, name: 300 } as const;

export function mailOf({ to }: Extract<ChannelAddress, { type: 'email' }>, message: Message): Mail {
  const { property } = message;
  return {
    to,
    subject: plain(`[${property.name}] ${headline(message)}`).slice(0, MAX_SUBJECT),
    text: `${[headline(message), body(message), message.alert.link, `${property.name} (${property.domain}). ${why(message)} ${counts(message)}`].map(plain).join('\n\n')}\n`,
  };
}

/** Untrusted text: what Slack would read as markup, links and mentions of everyone stays text. */
export function slackRequest(
  { url }: Extract<ChannelAddress, { type: 'slack' }>,
  message: Message,
): OutboundRequest {
  const { property, alert } = message;
  const lines = [
    `*${mrkdwn(headline(message), MAX_SLACK.headline)}*`,
    mrkdwn(body(message), MAX_SLACK.body),
    `${[property.name, counts(message)].flatMap((text) => (text === '' ? [] : mrkdwn(text, MAX_SLACK.name))).join(' · ')} · <${new URL(alert.link).href.replaceAll('|', '%7C')}|Open in Ghostlight>`,
  ];
  return {
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      text: mrkdwn(`${property.name}: ${headline(message)}`, MAX_SLACK.headline),
      blocks: [{ type: 'section', text: { type: 'mrkdwn', text: lines.join('\n') } }],
      unfurl_links: false,
    }),
  };
}

/** Signed as https://www.standardwebhooks.com says; the time is the attempt's. @param now epoch ms */
export function webhookRequest(
  { url, secret }: Extract<ChannelAddress, { type: 'webhook' }>,
  message: Message,
  now: number,
): OutboundRequest {
  const { alert, property } = message;
  const sent = JSON.stringify({
    type: `alert.${message.phase}`,
    timestamp: new Date(message.phase === 'resolved' ? (alert.resolvedAt ?? now) : alert.at).toISOString(),
    data: {
      id: alert.id,
      kind: alert.kind,
      subject: alert.subject,
      at: new Date(alert.at).toISOString(),
      resolved_at: alert.resolvedAt === null ? null : new Date(alert.resolvedAt).toISOString(),
      title: alert.title,
      text: alert.text,
      figures: figuresOf(alert),
      population: FACTS[alert.kind].population,
      link: alert.link,
      property: {
        ...{ id: property.id, name: property.name, domain: property.domain },
        time_zone: property.timeZone,
      },
    },
  });
  return {
    method: 'POST',
    url: new URL(url).href,
    headers: {
      'content-type': 'application/json',
      'webhook-id': message.id,
      'webhook-timestamp': String(Math.floor(now / 1000)),
      'webhook-signature': new Webhook(secret).sign(message.id, new Date(now), sent),
    },
    body: sent,
  };
}

const headline = ({ phase, alert }: Message): string =>
  phase === 'resolved' ? `Resolved: ${alert.title}` : phase === 'test' ? `Test: ${alert.title}` : alert.title;

function body({ phase, alert, property: { timeZone } }: Message): string {
  if (phase !== 'resolved') return alert.text;
  return `This lasted from ${momentIn(timeZone, alert.at)} to ${momentIn(timeZone, alert.resolvedAt ?? alert.at)}. At its peak: ${alert.text}`;
}

const why = ({ phase, alert }: Message): string =>
  phase === 'test'
    ? 'This message was sent with the test button on the Alerts page.'
    : `Rule: ${FACTS[alert.kind].title}. Rules and channels are on the Alerts page.`;

/** Whose visits the figures count, where they are not all. */
const counts = ({ alert: { kind } }: Message): string =>
  FACTS[kind].population === 'verified_unknown' ? 'Spoofed visits are not counted.' : '';

/** One line: what a mail header could take for its end is a space. */
const plain = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();

/** As markup of at most so many characters, cut between two of the text's own. */
function mrkdwn(text: string, most: number): string {
  let markup = '';
  for (const character of plain(text)) {
    const next = MARKUP[character] ?? character;
    if (markup.length + next.length > most) break;
    markup += next;
  }
  return markup;
}

const MARKUP: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  ...Object.fromEntries(['*', '_', '~', '`'].map((sign) => [sign, `\u200b${sign}`])),
};
