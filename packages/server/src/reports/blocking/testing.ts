/** Rules read back from their text, as their server reads them. */
import { compileRanges, parseIp, type RangeSet, rangesContain } from '@ghostlight/core';
import type { RulePart, Target } from './targets.ts';

export interface Visitor {
  readonly userAgent: string;
  readonly ip: string;
}
/** Whether a request is refused. */
export type Refuses = (visitor: Visitor) => boolean;

const holds = (set: RangeSet, ip: string): boolean => {
  const address = parseIp(ip);
  return address !== null && rangesContain(set, address);
};
const captured = (text: string, form: RegExp): string[] =>
  [...text.matchAll(form)].map(([, found = '']) => found);
const whole = (text: string, form: RegExp): string => {
  const found = form.exec(text)?.[1];
  if (found === undefined) throw new Error(`${form} is not in ${text.slice(0, 500)}`);
  return found;
};

export const READ: Readonly<Record<Exclude<Target, 'robots'>, (parts: readonly RulePart[]) => Refuses>> = {
  cloudflare([{ text } = { text: '' }, list]) {
    const [claims = '', ...conditions] = text.split(/ and (?=not )/);
    const said = (part: string) =>
      captured(part, /lower\(http\.user_agent\) contains "((?:[^"\\]|\\.)*)"/g).map((word) =>
        word.replaceAll(/\\(.)/g, '$1'),
      );
    const spares = said(conditions.find((part) => part.startsWith('not (')) ?? '');
    const last = conditions.at(-1) ?? '';
    const prefixes =
      list === undefined ? whole(last, /^not ip\.src in \{(.*)\}$/).split(' ') : list.text.split('\n');
    if (list !== undefined) whole(last, /^not ip\.src in \$(ghostlight_published)$/);
    // As if Cloudflare knew no crawler at all.
    whole(conditions.at(-2) ?? '', /^(not cf\.client\.bot)$/);
    const set = compileRanges(prefixes);
    return ({ userAgent, ip }) => {
      const agent = userAgent.toLowerCase();
      const names = (words: readonly string[]) => words.some((word) => agent.includes(word));
      return names(said(claims)) && !names(spares) && !holds(set, ip);
    };
  },
  nginx([{ text } = { text: '' }]) {
    const set = compileRanges(captured(whole(text, /geo [^{]*\{([^}]*)\}/), /^\s+(\S+) 1;$/gm));
    const rows = [...text.matchAll(/^\s+"~\*(.*)" ([01]);$/gm)].map(([, form = '', value]) => ({
      form: new RegExp(form, 'i'),
      value,
    }));
    return ({ userAgent, ip }) =>
      rows.find(({ form }) => form.test(userAgent))?.value === '1' && !holds(set, ip);
  },
  apache([{ text } = { text: '' }]) {
    const claims = new RegExp(whole(text, /!~ m#(.*)#i"/), 'i');
    const spares = /=~ m#(.*)#i"/.exec(text)?.[1];
    const set = compileRanges(captured(text, /^\s+Require ip (.*)$/gm).flatMap((row) => row.split(' ')));
    return ({ userAgent, ip }) =>
      claims.test(userAgent) &&
      (spares === undefined || !new RegExp(spares, 'i').test(userAgent)) &&
      !holds(set, ip);
  },
  caddy([{ text } = { text: '' }]) {
    const claims = new RegExp(whole(text, /^ {4}header_regexp User-Agent `\(\?i\)(.*)`$/m), 'i');
    const spares = /not header_regexp User-Agent `\(\?i\)(.*)`$/m.exec(text)?.[1];
    const set = compileRanges(whole(text, /not remote_ip ([^}]*)\n\}/).split(/[\s\\]+/));
    return ({ userAgent, ip }) =>
      claims.test(userAgent) &&
      (spares === undefined || !new RegExp(spares, 'i').test(userAgent)) &&
      !holds(set, ip);
  },
};
