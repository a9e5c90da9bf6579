/** The rule in the language of each place that can refuse a request. What to paste where is part of each. */
import { piecesOf } from '../../common/index.ts';
import { forCloudflare } from './prefixes.ts';
import type { BlockingRule } from './rule.ts';

export const TARGETS = ['cloudflare', 'nginx', 'apache', 'caddy', 'robots'] as const;
export type Target = (typeof TARGETS)[number];

/** A text to paste, and where. */
export interface RulePart {
  readonly place: string;
  readonly text: string;
}

/** @param head lines of a comment: who made it and when */
type Render = (rule: BlockingRule, head: readonly string[]) => RulePart[];

/** Longer expressions are refused by Cloudflare. */
export const MOST_EXPRESSION = 4_096;
export const CLOUDFLARE_LIST = 'ghostlight_published';

export const RENDER: Readonly<Record<Target, Render>> = {
  cloudflare(rule) {
    const prefixes = forCloudflare(rule.allowed);
    const inline = expression(rule, `{${prefixes.join(' ')}}`);
    if (inline.length <= MOST_EXPRESSION) return [{ place: 'Expression', text: inline }];
    return [
      { place: 'Expression', text: expression(rule, `$${CLOUDFLARE_LIST}`) },
      { place: `IP list “${CLOUDFLARE_LIST}”`, text: prefixes.join('\n') },
    ];
  },
  nginx: (rule, head) => [
    {
      place: 'In the http block',
      text: [
        ...head.map((line) => `# ${line}`),
        'geo $ghostlight_published {',
        '    default 0;',
        ...rule.allowed.map((prefix) => `    ${prefix} 1;`),
        '}',
        'map $http_user_agent $ghostlight_claims {',
        '    default 0;',
        ...(rule.spares.length === 0 ? [] : [`    "~*${anyOf(rule.spares)}" 0;`]),
        `    "~*${claimed(rule)}" 1;`,
        '}',
        'map "$ghostlight_claims$ghostlight_published" $ghostlight_block {',
        '    default 0;',
        '    "10" 1;',
        '}',
      ].join('\n'),
    },
    { place: 'In each server block', text: 'if ($ghostlight_block) { return 403; }' },
  ],
  apache: (rule, head) => [
    {
      place: 'In the virtual host',
      text: [
        ...head.map((line) => `# ${line}`),
        '<Location "/">',
        '    AuthMerging And',
        '    <RequireAny>',
        `        Require expr "%{HTTP_USER_AGENT} !~ m#${claimed(rule)}#i"`,
        ...(rule.spares.length === 0
          ? []
          : [`        Require expr "%{HTTP_USER_AGENT} =~ m#${anyOf(rule.spares)}#i"`]),
        ...rowsOf(rule.allowed, 8).map((row) => `        Require ip ${row}`),
        '    </RequireAny>',
        '</Location>',
      ].join('\n'),
    },
  ],
  caddy: (rule, head) => [
    {
      place: 'In the site block',
      text: [
        ...head.map((line) => `# ${line}`),
        '@ghostlight_block {',
        `    header_regexp User-Agent \`(?i)${claimed(rule)}\``,
        ...(rule.spares.length === 0
          ? []
          : [`    not header_regexp User-Agent \`(?i)${anyOf(rule.spares)}\``]),
        `    not remote_ip ${rowsOf(rule.allowed, 8).join(' \\\n        ')}`,
        '}',
        'respond @ghostlight_block 403',
      ].join('\n'),
    },
  ],
  // It asks those who read it, by name. An impersonator does not read it, and the crawler whose name it uses would obey.
  robots: () => [],
};

function expression({ claims, spares }: BlockingRule, published: string): string {
  const named = (texts: readonly string[]) =>
    texts.map((text) => `lower(http.user_agent) contains ${quoted(text)}`).join(' or ');
  return [
    `(${named(claims)})`,
    ...(spares.length === 0 ? [] : [`not (${named(spares)})`]),
    'not cf.client.bot',
    `not ip.src in ${published}`,
  ].join(' and ');
}

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;

/** Regular expressions that PCRE and RE2 read alike, without a backslash, which every configuration would read in its own way. */
const anyOf = (texts: readonly string[]): string => `(${texts.map(literal).join('|')})`;
const literal = (text: string): string =>
  text.replaceAll(/[^a-z0-9 /_-]/g, (sign) => (/[.+*?()@:!,;=]/.test(sign) ? `[${sign}]` : '.'));
/** A name stands for itself where no word goes on beside it, as the service's own matching has it. */
const claimed = ({ claims }: BlockingRule): string =>
  `(^|[^a-z0-9_-])${anyOf(claims)}([^a-z0-9_.-]|[.][^a-z]|[.]?$)`;

function rowsOf(prefixes: readonly string[], perRow: number): string[] {
  return piecesOf(prefixes, perRow).map((row) => row.join(' '));
}
