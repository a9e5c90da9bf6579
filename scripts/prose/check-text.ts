/** What is wrong with the prose of one text: words that are out, and lines that are too long. No I/O. */
import { proseOfCode, proseOfMarkdown } from './prose-of.ts';
import { MAX_COLUMNS, type Rule } from './rules.ts';

export interface Finding {
  /** From 1. */
  line: number;
  /** The word as it is written, or the width of the line. */
  found: string;
  instead: string;
}

const compile = (out: string) =>
  new RegExp(`(?<![\\w$-])(?:${out.replaceAll(' ', '\\s+')})(?![\\w$-])`, 'gi');

export class Checker {
  readonly #rules: { rule: Rule; pattern: RegExp; allow: RegExp[] }[];
  /** All rules at once: most texts have no finding, and are then read once. */
  readonly #any: RegExp;

  constructor(rules: Rule[]) {
    this.#rules = rules.map((rule) => ({
      rule,
      pattern: compile(rule.out),
      allow: (rule.allow ?? []).map((allowed) => new RegExp(allowed, 'i')),
    }));
    this.#any = compile(rules.map(({ out }) => out).join('|'));
  }

  /** The findings of a file, by line. Its name's ending says how it is read. */
  check(path: string, text: string): Finding[] {
    const isDocument = path.endsWith('.md');
    const prose = isDocument ? proseOfMarkdown(text) : proseOfCode(text, path.endsWith('.tsx'));
    const findings = [...this.#words(prose, text, isDocument), ...(isDocument ? longLines(text) : [])];
    return findings.sort((a, b) => a.line - b.line);
  }

  #words(prose: string, text: string, isDocument: boolean): Finding[] {
    this.#any.lastIndex = 0;
    if (!this.#any.test(prose)) return [];
    const lines = text.split('\n');
    const findings: Finding[] = [];
    for (const { rule, pattern, allow } of this.#rules) {
      if (rule.only === 'docs' && !isDocument) continue;
      for (const match of prose.matchAll(pattern)) {
        const line = prose.slice(0, match.index).split('\n').length;
        const around = lines.slice(Math.max(0, line - 2), line + 1).join('\n');
        if (allow.some((allowed) => allowed.test(around))) continue;
        findings.push({ line, found: match[0].replace(/\s+/g, ' '), instead: rule.instead });
      }
    }
    return findings;
  }
}

/** A line that has no blank to break it at, such as a link, may be longer. */
function longLines(text: string): Finding[] {
  return text.split('\n').flatMap((line, index) => {
    const width = [...line].length;
    if (width <= MAX_COLUMNS || !/\S\s+\S/.test(line)) return [];
    return [
      {
        line: index + 1,
        found: `${width} columns`,
        instead: `at most ${MAX_COLUMNS}: break the line, shorten the row, or write a list`,
      },
    ];
  });
}
