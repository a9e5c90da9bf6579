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

interface ReadClaim {
  readonly claims: RegExp;
  readonly spares: RegExp | undefined;
}
/** Refuses what makes one of the claims from elsewhere. */
const refusing =
  (claims: readonly ReadClaim[], set: RangeSet): Refuses =>
  ({ userAgent, ip }) =>
    claims.some((one) => one.claims.test(userAgent) && one.spares?.test(userAgent) !== true) &&
    !holds(set, ip);
const formOf = (text: string): RegExp => new RegExp(text, 'i');
const sparing = (text: string | undefined) => (text === undefined ? undefined : formOf(text));

export const READ: Readonly<Record<Exclude<Target, 'robots'>, (parts: readonly RulePart[]) => Refuses>> = {
  cloudflare([{ text } = { text: '' }, list]) {
    const [, claims = '', published = ''] =
      /^(.*) and not cf\.client\.bot and (not ip\.src in .*)$/.exec(text) ?? [];
    const prefixes =
      list === undefined ? whole(published, /^not ip\.src in \{(.*)\}$/).split(' ') : list.text.split('\n');
    if (list !== undefined) whole(published, /^not ip\.src in \$(ghostlight_published)$/);
    const set = compileRanges(prefixes);
    // As if Cloudflare knew no crawler at all.
    return ({ userAgent, ip }) => makesClaim(claims, userAgent.toLowerCase()) && !holds(set, ip);
  },
  nginx([{ text } = { text: '' }]) {
    const set = compileRanges(captured(whole(text, /geo [^{]*\{([^}]*)\}/), /^\s+(\S+) 1;$/gm));
    const maps = [...text.matchAll(/^map \$http_user_agent (\$\w+) \{\n((?:(?!^\}$)[^\n]*\n)*)\}$/gm)].map(
      ([, name = '', body = '']) => ({
        name,
        rows: [...body.matchAll(/^\s+"~\*(.*)" ([01]);$/gm)].map(([, form = '', value]) => ({
          form: formOf(form),
          value,
        })),
      }),
    );
    const [, joined = '', form = ''] =
      /^map "([^"]*)" \$ghostlight_block \{\n {4}default 0;\n {4}"([^"]*)" 1;\n\}$/m.exec(text) ?? [];
    return ({ userAgent, ip }) => {
      const value = joined.replaceAll(/\$\w+?(?=\$|$)/g, (name) => {
        if (name === '$ghostlight_published') return holds(set, ip) ? '1' : '0';
        const rows = maps.find((map) => map.name === name)?.rows ?? [];
        return rows.find((row) => row.form.test(userAgent))?.value ?? '0';
      });
      return form.startsWith('~') ? new RegExp(form.slice(1)).test(value) : value === form;
    };
  },
  apache([{ text } = { text: '' }]) {
    const set = compileRanges(captured(text, /^\s+Require ip (.*)$/gm).flatMap((row) => row.split(' ')));
    const claims = [
      ...whole(text, /<RequireAll>([\s\S]*)<\/RequireAll>/).matchAll(
        /!~ m#(.*?)#i(?: \|\| .* =~ m#(.*?)#i)?"/g,
      ),
    ].map(([, form = '', spares]) => ({ claims: formOf(form), spares: sparing(spares) }));
    return refusing(claims, set);
  },
  caddy([{ text } = { text: '' }]) {
    const blocks = captured(text, /^@ghostlight_block\w* \{\n([\s\S]*?)^\}$/gm);
    const rules = blocks.map((block) =>
      refusing(
        [
          {
            claims: formOf(whole(block, /^ {4}header_regexp User-Agent `\(\?i\)(.*)`$/m)),
            spares: sparing(/not header_regexp User-Agent `\(\?i\)(.*)`$/m.exec(block)?.[1]),
          },
        ],
        compileRanges(whole(block, /not remote_ip ([^}]*)\n$/).split(/[\s\\]+/)),
      ),
    );
    return (visitor) => rules.some((refuses) => refuses(visitor));
  },
};

/** What Cloudflare's language makes of `contains`, `and`, `or`, `not` and brackets. */
function makesClaim(text: string, agent: string): boolean {
  const rest = text
    .replaceAll(/lower\(http\.user_agent\) contains "((?:[^"\\]|\\.)*)"/g, (_, word: string) =>
      agent.includes(word.replaceAll(/\\(.)/g, '$1')) ? 'T' : 'F',
    )
    .replaceAll(' ', '');
  if (!/^(?:[TF()]|and|or|not)+$/.test(rest)) throw new Error(`Not understood: ${rest.slice(0, 200)}`);
  let at = 0;
  const take = (word: string): boolean => {
    if (!rest.startsWith(word, at)) return false;
    at += word.length;
    return true;
  };
  const either = (): boolean => {
    let value = both();
    while (take('or')) value = both() || value;
    return value;
  };
  const both = (): boolean => {
    let value = one();
    while (take('and')) value = one() && value;
    return value;
  };
  const one = (): boolean => {
    if (take('not')) return !one();
    if (!take('(')) return take('T') || !take('F');
    const value = either();
    if (!take(')')) throw new Error(`A bracket stays open: ${rest.slice(0, 200)}`);
    return value;
  };
  return either();
}
