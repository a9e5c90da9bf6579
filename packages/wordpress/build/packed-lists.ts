/** The bot list that travels with the plugin, as a PHP file: in use until the plugin has fetched the service's own. */
import { embeddedLists } from '@ghostlight/core';
import { getPattern } from 'isbot';

type Table = Readonly<Record<string, string>>;

/** @returns a PHP file that returns an array */
export function packedLists(): string {
  const lists = embeddedLists();
  const names = lists.ai_referrer_names ?? {};
  const named = (keys: readonly string[]): Table =>
    Object.fromEntries(keys.map((key) => [key, names[key] ?? key]));
  const bots: Record<string, string> = {};
  // The first of equal tokens counts.
  for (const { pattern, bot_name } of lists.bot_patterns) bots[pattern] ??= bot_name;
  return `<?php
/**
 * The list that comes with the plugin. Written by packages/wordpress/build/build.ts from the lists of the service: not to be edited.
 *
 * Names of bots: ai.robots.txt (MIT, see NOTICE.txt) and the vendors' documentation. Referrers: Matomo's searchengine-and-social-list (CC0)
 * and surfacedby/ai-traffic-alerts-for-cloudflare (MIT). Programs: isbot (Unlicense).
 *
 * @package Ghostlight
 */

defined( 'ABSPATH' ) || exit;

return array(
	'version'  => ${lists.version},
	'bots'     => ${table(bots)},
	'domains'  => ${table(named(lists.ai_referrer_domains))},
	'apps'     => ${table(named(lists.ai_referrer_apps))},
	'programs' => ${quoted(expression(getPattern()))},
);
`;
}

function table(rows: Table): string {
  const entries = Object.entries(rows);
  const width = Math.max(...entries.map(([key]) => quoted(key).length));
  const lines = entries.map(([key, name]) => `\t\t${quoted(key).padEnd(width)} => ${quoted(name)},`);
  return `array(\n${lines.join('\n')}\n\t)`;
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/**
 * As PHP's regular expressions are written. `D`: the end of the text alone is its end, as in JavaScript. A dash behind a class of characters
 * is one in JavaScript, and an error in PHP.
 */
const expression = ({ source }: RegExp): string =>
  `~${source.replaceAll('~', '\\~').replaceAll(/(\\[wds])-/g, '$1\\-')}~iD`;
