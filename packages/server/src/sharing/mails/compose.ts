/**
 * The mail of a report: a text, and the same as HTML that mail clients draw. Those know tables and styles at elements, and little else; nothing is
 * loaded from anywhere, and dark clients have colours of their own that stay readable.
 */
import type { Mail } from '../../outbound/index.ts';
import { escaped } from '../picture.ts';

export interface Figure {
  readonly label: string;
  readonly value: number;
  /** The part that comes from samples. */
  readonly estimated: number;
  /** Part of the figure before; null: nothing can be said. */
  readonly change: number | null;
}

export interface Row {
  readonly name: string;
  readonly detail: string;
  readonly value: number;
  /** The part that comes from samples. */
  readonly estimated: number;
}

export interface ReportMail {
  readonly to: string;
  readonly property: { readonly name: string; readonly domain: string; readonly timeZone: string };
  readonly every: 'week' | 'month';
  /** `9 – 15 Nov 2026`. */
  readonly period: string;
  /** What the figures are compared with, or why with nothing, as a sentence. */
  readonly comparison: string;
  /** What has to be known of the figures, as sentences. */
  readonly notes: readonly string[];
  readonly figures: readonly Figure[];
  readonly bots: readonly Row[];
  readonly pages: readonly Row[];
  readonly newBots: readonly string[];
  readonly population: 'verified_unknown' | 'all';
  /** Spoofed visits of AI bots, counted or not. */
  readonly spoofed: { readonly value: number; readonly estimated: number };
  /** The dashboard at these days. */
  readonly link: string;
  readonly unsubscribe: string;
}

const MOST_SUBJECT = 150;
/** `≈` where samples are in the figure, as in the dashboard. */
const count = ({ value, estimated }: { readonly value: number; readonly estimated: number }): string =>
  `${estimated > 0 ? '≈ ' : ''}${Math.round(value).toLocaleString('en')}`;
/** One line: what a mail header could take for its end is a space. */
const line = (text: string, most = 200): string =>
  text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, most);

function changeText(change: number | null): string {
  if (change === null) return 'no comparison';
  const percent = Math.round(Math.abs(change) * 100);
  return percent === 0 ? 'unchanged' : `${change > 0 ? '+' : '−'}${percent.toLocaleString('en')}%`;
}

/** What is counted, and how many visits are spoofed, as sentences. */
function counted({ population, spoofed, figures, bots, pages }: ReportMail): string {
  const isOne = Math.round(spoofed.value) === 1;
  const isEstimated = [...figures, ...bots, ...pages, spoofed].some(({ estimated }) => estimated > 0);
  return [
    population === 'all'
      ? `All visits are counted, including ${count(spoofed)} spoofed ${isOne ? 'visit' : 'visits'}.`
      : `Verified and unknown visits are counted. ${count(spoofed)} spoofed ${isOne ? 'visit is' : 'visits are'} not.`,
    ...(isEstimated ? ['≈ marks figures that are partly estimated from samples.'] : []),
  ].join(' ');
}

export function composeMail(mail: ReportMail): Mail {
  const { to, property, every, period, unsubscribe } = mail;
  return {
    to,
    subject: line(`AI traffic on ${property.domain}: ${every} of ${period}`, MOST_SUBJECT),
    text: textOf(mail),
    html: htmlOf(mail),
    headers: {
      // RFC 8058: the mail client unsubscribes by one request, without a page.
      'List-Unsubscribe': `<${unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Auto-Submitted': 'auto-generated',
    },
  };
}

function textOf(mail: ReportMail): string {
  const { property, period, comparison, notes, figures, bots, pages, newBots } = mail;
  const list = (title: string, rows: readonly Row[]) =>
    rows.length === 0
      ? []
      : [
          `${title}\n${rows.map((row) => `  ${count(row)}  ${line(row.name)}${row.detail === '' ? '' : ` (${line(row.detail)})`}`).join('\n')}`,
        ];
  return `${[
    `AI traffic on ${line(property.domain)}, ${period}`,
    figures.map((figure) => `${figure.label}: ${count(figure)} (${changeText(figure.change)})`).join('\n'),
    [comparison, ...notes].join(' '),
    ...list('Bots', bots),
    ...list('Pages', pages),
    ...(newBots.length === 0 ? [] : [`New bots: ${newBots.map((name) => line(name)).join(', ')}`]),
    `Open the report: ${mail.link}`,
    `${counted(mail)} Dates are in ${property.timeZone}.`,
    `You’re receiving this email because you subscribed to it in Ghostlight. Unsubscribe: ${mail.unsubscribe}`,
  ].join('\n\n')}\n`;
}

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const INK = '#2b2622';
const QUIET = '#6d645a';
const LINE = '#e4ddd2';

function htmlOf(mail: ReportMail): string {
  const { property, period, comparison, notes, figures, bots, pages, newBots } = mail;
  const cells = figures.map(
    (figure) =>
      `<td class="ink" valign="top" width="${Math.floor(100 / figures.length)}%" style="padding:10px 8px 10px 0;${FONT};color:${INK}"><div class="quiet" style="font-size:12px;color:${QUIET}">${escaped(figure.label)}</div><div style="font-size:24px;line-height:32px;font-weight:600">${count(figure)}</div><div class="quiet" style="font-size:12px;color:${QUIET}">${escaped(changeText(figure.change))}</div></td>`,
  );
  const list = (title: string, rows: readonly Row[]) =>
    rows.length === 0
      ? ''
      : `<tr><td class="ink" style="padding:20px 24px 4px;${FONT};font-size:15px;font-weight:600;color:${INK}">${title}</td></tr>
<tr><td style="padding:0 24px"><table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">${rows.map(rowOf).join('')}</table></td></tr>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escaped(`AI traffic on ${line(property.domain)}`)}</title>
<style>
@media (prefers-color-scheme: dark) {
  .paper { background-color: #1d1a17 !important; }
  .page { background-color: #13110f !important; }
  .ink { color: #f2ede6 !important; }
  .quiet { color: #b3a899 !important; }
}
@media (max-width: 620px) { .page-table { width: 100% !important; } }
</style>
</head>
<body class="page" style="margin:0;padding:0;background-color:#f6f1e9">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:#f6f1e9"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" class="page-table paper" width="600" cellpadding="0" cellspacing="0" border="0" style="width:600px;max-width:100%;background-color:#fffdf9;border:1px solid ${LINE};border-radius:10px">
<tr><td class="ink" style="padding:24px 24px 0;${FONT};font-size:20px;line-height:28px;font-weight:600;color:${INK}">AI traffic on ${escaped(line(property.domain))}</td></tr>
<tr><td class="quiet" style="padding:2px 24px 8px;${FONT};font-size:13px;color:${QUIET}">${escaped(period)}. ${escaped([comparison, ...notes].join(' '))}</td></tr>
<tr><td style="padding:4px 24px"><table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="border-top:1px solid ${LINE};border-bottom:1px solid ${LINE}"><tr>${cells.join('')}</tr></table></td></tr>
${list('Bots', bots)}
${list('Pages', pages)}
${newBots.length === 0 ? '' : `<tr><td class="ink" style="padding:16px 24px 0;${FONT};font-size:14px;color:${INK}">New bots: ${escaped(newBots.map((name) => line(name)).join(', '))}</td></tr>`}
<tr><td style="padding:24px"><table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td bgcolor="#8a5a14" style="border-radius:7px"><a href="${escaped(mail.link)}" style="display:inline-block;padding:10px 18px;${FONT};font-size:14px;font-weight:600;color:#ffffff;text-decoration:none">Open the report</a></td></tr></table></td></tr>
<tr><td class="quiet" style="padding:14px 24px 22px;border-top:1px solid ${LINE};${FONT};font-size:12px;line-height:18px;color:${QUIET}">${escaped(counted(mail))} Dates are in ${escaped(property.timeZone)}.<br>You’re receiving this email because you subscribed to it in Ghostlight. <a class="quiet" href="${escaped(mail.unsubscribe)}" style="color:${QUIET}">Unsubscribe</a></td></tr>
</table>
</td></tr></table>
</body>
</html>
`;
}

const rowOf = ({ name, detail, ...figure }: Row): string =>
  `<tr><td class="ink" style="padding:6px 0;border-top:1px solid ${LINE};${FONT};font-size:14px;color:${INK};word-break:break-all">${escaped(line(name, 120))}${detail === '' ? '' : ` <span class="quiet" style="font-size:12px;color:${QUIET}">${escaped(line(detail, 80))}</span>`}</td><td class="ink" align="right" valign="top" style="padding:6px 0 6px 12px;border-top:1px solid ${LINE};${FONT};font-size:14px;color:${INK};white-space:nowrap">${count(figure)}</td></tr>`;
