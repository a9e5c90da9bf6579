/** The rule in the language of each place that can refuse a request. What to paste where is part of each. */
import { piecesOf } from '../../common/index.ts';
import { forCloudflare } from './prefixes.ts';
import type { BlockingRule, Claim } from './rule.ts';

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
  nginx: (rule, head) => {
    // One map for each claim, because what spares one name must not spare another.
    const maps = rule.claims.map((claim, index) => ({ claim, name: numbered('$ghostlight_claims', index) }));
    return [
      {
        place: 'In the http block',
        text: [
          ...head.map((line) => `# ${line}`),
          'geo $ghostlight_published {',
          '    default 0;',
          ...rule.allowed.map((prefix) => `    ${prefix} 1;`),
          '}',
          ...maps.flatMap(({ claim, name }) => [
            `map $http_user_agent ${name} {`,
            '    default 0;',
            ...(claim.spares.length === 0 ? [] : [`    "~*${anyOf(claim.spares)}" 0;`]),
            `    "~*${claimed(claim)}" 1;`,
            '}',
          ]),
          `map "${maps.map(({ name }) => name).join('')}$ghostlight_published" $ghostlight_block {`,
          '    default 0;',
          maps.length === 1 ? '    "10" 1;' : '    "~1.*0$" 1;',
          '}',
        ].join('\n'),
      },
      { place: 'In each server block', text: 'if ($ghostlight_block) { return 403; }' },
    ];
  },
  apache: (rule, head) => [
    {
      place: 'In the virtual host',
      text: [
        ...head.map((line) => `# ${line}`),
        '<Location "/">',
        '    AuthMerging And',
        '    <RequireAny>',
        '        <RequireAll>',
        ...rule.claims.map((claim) => `            Require expr "${unclaimed(claim)}"`),
        '        </RequireAll>',
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
        ...rule.claims.flatMap((claim, index) => {
          const name = numbered('@ghostlight_block', index);
          return [
            `${name} {`,
            `    header_regexp User-Agent \`(?i)${claimed(claim)}\``,
            ...(claim.spares.length === 0
              ? []
              : [`    not header_regexp User-Agent \`(?i)${anyOf(claim.spares)}\``]),
            `    not remote_ip ${rowsOf(rule.allowed, 8).join(' \\\n        ')}`,
            '}',
            `respond ${name} 403`,
          ];
        }),
      ].join('\n'),
    },
  ],
  // It asks those who read it, by name. An impersonator does not read it, and the crawler whose name it uses would obey.
  robots: () => [],
};

function expression({ claims }: BlockingRule, published: string): string {
  const named = (texts: readonly string[]) =>
    `(${texts.map((text) => `lower(http.user_agent) contains ${quoted(text)}`).join(' or ')})`;
  const groups = claims.map(({ names, spares }) =>
    spares.length === 0 ? named(names) : `(${named(names)} and not ${named(spares)})`,
  );
  return [
    groups.length === 1 ? groups.join('') : `(${groups.join(' or ')})`,
    'not cf.client.bot',
    `not ip.src in ${published}`,
  ].join(' and ');
}

/** `$ghostlight_claims`, `$ghostlight_claims_2`. */
const numbered = (name: string, index: number): string => (index === 0 ? name : `${name}_${index + 1}`);

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;

/** Regular expressions that PCRE and RE2 read alike, without a backslash, which every configuration would read in its own way. */
const anyOf = (texts: readonly string[]): string => `(${texts.map(literal).join('|')})`;
const literal = (text: string): string =>
  text.replaceAll(/[^a-z0-9 /_-]/g, (sign) => (/[.+*?()@:!,;=]/.test(sign) ? `[${sign}]` : '.'));
/** A name stands for itself where no word goes on beside it, as the service's own matching has it. */
const claimed = ({ names }: Claim): string => `(^|[^a-z0-9_-])${anyOf(names)}([^a-z0-9_.-]|[.][^a-z]|[.]?$)`;
/** That a user agent does not make a claim, for Apache. */
const unclaimed = (claim: Claim): string =>
  [
    `%{HTTP_USER_AGENT} !~ m#${claimed(claim)}#i`,
    ...(claim.spares.length === 0 ? [] : [`%{HTTP_USER_AGENT} =~ m#${anyOf(claim.spares)}#i`]),
  ].join(' || ');

function rowsOf(prefixes: readonly string[], perRow: number): string[] {
  return piecesOf(prefixes, perRow).map((row) => row.join(' '));
}
