/**
 * What a robots.txt allows a crawler, as RFC 9309 has it and as Google's open parser reads it: the groups that name the crawler count, all
 * of them together, else those for `*`; of the rules that match, the one with the longest pattern wins, and of equals the one that allows.
 */

interface Rule {
  readonly allows: boolean;
  readonly length: number;
  readonly matches: (path: string) => boolean;
}

export interface Robots {
  /** @param bot its product token, in any letter case @param path begins with `/`; may have a query */
  allows(bot: string, path: string): boolean;
  /** What the rules for a crawler are filed under: those with the same have the same rules. */
  groupOf(bot: string): string;
}

/** Google reads no more of a file. */
export const ROBOTS_BYTES = 500 * 1024;
/** Each page of a report is held against all of them. A file with more is read up to here, like one that is too long. */
const MAX_RULES = 2_000;
/** Nor of a line: eight times the longest address that browsers take. */
const LINE_LENGTH = 16_664;
/** Writings that Google's parser takes for these words. */
const WORDS: Readonly<Record<string, 'agent' | 'allow' | 'disallow'>> = {
  ...{ 'user-agent': 'agent', useragent: 'agent', 'user agent': 'agent', allow: 'allow' },
  ...{ disallow: 'disallow', dissallow: 'disallow', dissalow: 'disallow', disalow: 'disallow' },
};

export function readRobots(text: string): Robots {
  const groups = new Map<string, Rule[]>();
  let agents: string[] = [];
  let hasRules = false;
  let rules = 0;
  for (const { word, value } of linesOf(text)) {
    if (word === 'agent') {
      // After its rules another group begins.
      if (hasRules) agents = [];
      hasRules = false;
      agents.push(tokenOf(value));
      for (const agent of agents) if (!groups.has(agent)) groups.set(agent, []);
    } else {
      hasRules = true;
      const rule = ruleOf(word === 'allow', value);
      // An empty pattern is no rule: everything is allowed.
      if (rule === null) continue;
      rules += agents.length;
      if (rules > MAX_RULES) break;
      for (const agent of agents) groups.get(agent)?.push(rule);
    }
  }
  const groupOf = (bot: string): string => (groups.has(tokenOf(bot)) ? tokenOf(bot) : '*');
  return {
    groupOf,
    allows(bot, path) {
      // A site can't close the file that says so.
      if (path === '/robots.txt') return true;
      const rules = groups.get(groupOf(bot)) ?? [];
      const asked = escaped(path);
      let best: Rule | null = null;
      for (const rule of rules)
        if (
          rule.length >= (best?.length ?? 0) &&
          rule.matches(asked) &&
          (best === null || rule.length > best.length || rule.allows)
        )
          best = rule;
      return best?.allows ?? true;
    },
  };
}

/** The lines that say something, and nothing else of the text: it is kept in this form. */
export const robotsRules = (text: string): string =>
  linesOf(text)
    .map(({ word, value }) => `${word === 'agent' ? 'user-agent' : word}: ${value}`)
    .join('\n');

function linesOf(text: string) {
  return text
    .slice(0, ROBOTS_BYTES)
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .flatMap((line) => {
      const [said = ''] = line.slice(0, LINE_LENGTH).split('#', 1);
      const text = said.trim();
      const found = splitAt(text, text.indexOf(':')) ?? splitAt(text, text.search(/\s/));
      return found === null ? [] : [found];
    });
}

/** Google's parser also takes lines without a colon. */
function splitAt(line: string, at: number) {
  const name = line.slice(0, Math.max(0, at)).trim().toLowerCase();
  const word = Object.hasOwn(WORDS, name) ? WORDS[name] : undefined;
  return word === undefined ? null : { word, value: line.slice(at + 1).trim() };
}

/** `Googlebot/2.1` is named `googlebot`; what is no name at all is `*` alone. */
function tokenOf(agent: string): string {
  if (/^\*(?:\s|$)/.test(agent)) return '*';
  return (/^[a-z0-9_-]+/i.exec(agent)?.[0] ?? '').toLowerCase();
}

function ruleOf(allows: boolean, value: string): Rule | null {
  const pattern = escaped(value);
  if (pattern === '') return null;
  return { allows, length: pattern.length, matches: (path) => matches(pattern, path) };
}

/** `*` is any text, `$` at the end is the end. In steps, because a regular expression of many stars takes for ever. */
function matches(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith('$');
  const parts = (isWhole ? pattern.slice(0, -1) : pattern).split('*');
  const last = parts.length - 1;
  let at = 0;
  for (const [index, part] of parts.entries()) {
    if (index === 0) {
      if (!path.startsWith(part)) return false;
      at = part.length;
    } else if (index === last && isWhole) {
      return path.length - part.length >= at && path.endsWith(part);
    } else {
      const found = path.indexOf(part, at);
      if (found === -1) return false;
      at = found + part.length;
    }
  }
  return !isWhole || at === path.length;
}

/** Non-ASCII as octets, and escapes in upper case, so that each writing of a path is the same. */
const escaped = (text: string): string =>
  text
    .replaceAll(/[\u0080-\uffff]+/g, (part) => encodeURIComponent(part.toWellFormed()))
    .replaceAll(/%[0-9a-f]{2}/gi, (octet) => octet.toUpperCase());
