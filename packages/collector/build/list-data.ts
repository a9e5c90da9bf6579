/** The list files as the collector carries them: their evidence (sources, tiers, what was denied and why) is for people and stays out. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { AgentsFile, BotsFile, ReferrersFile } from '@ghostlight/core';
import type { Plugin } from 'esbuild';

/**
 * The rows of one list as a text with a line per row: a third smaller than their JSON, compressed, since no member's name is repeated.
 * @returns an expression that gives the rows back
 */
function table<Name extends string>(rows: readonly Record<Name, string>[], columns: readonly Name[]): string {
  const lines = rows.map((row) => columns.map((column) => cell(row[column])).join('\t'));
  const members = columns.map((column, index) => `${column}: c[${index}]`).join(', ');
  return `${JSON.stringify(lines.join('\n'))}.split('\\n').map((line) => line.split('\\t')).map((c) => ({ ${members} }))`;
}

function cell(value: string): string {
  if (/[\t\n]/.test(value)) throw new Error(`A list's text may hold no tab and no line break: ${value}`);
  return value;
}

/** Becomes source text of the bundle. */
const slug = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** What `buildLists` reads of a file, and nothing else: the members of a module's default export. */
const kept: Record<string, (text: string) => string> = {
  'bots.json': (text) => {
    const { bots }: BotsFile = JSON.parse(text);
    // Most tokens are the name in lower case, and most engines the vendor's: what can be made of another column is left empty.
    const short = bots.map((row) => ({
      ...row,
      token: row.token === row.name.toLowerCase() ? '' : row.token,
      engine: row.engine === slug(row.vendor) ? '' : row.engine,
    }));
    const rows = table(short, ['name', 'intent', 'vendor', 'engine', 'token']);
    const made = `token: b.token || b.name.toLowerCase(), engine: b.engine || (${slug})(b.vendor)`;
    return `bots: ${rows}.map((b) => ({ ...b, ${made} }))`;
  },
  'referrers.json': (text) => {
    const { domains, apps }: ReferrersFile = JSON.parse(text);
    return `domains: ${table(domains, ['domain', 'engine'])}, apps: ${table(apps, ['package', 'engine'])}`;
  },
  'signature-agents.json': (text) => {
    const { agents }: AgentsFile = JSON.parse(text);
    const slim = agents.map(({ engine, bot_name, intent, url, url_pattern, type, bots, keys }) => ({
      engine,
      bot_name,
      intent,
      url,
      url_pattern,
      type,
      bots,
      keys: keys.map(({ x, kid }) => ({ x, kid })),
    }));
    return `agents: ${JSON.stringify(slim)}`;
  },
};

/** For esbuild. Without it the collector works the same from the whole files, and is larger. */
export function listDataPlugin(): Plugin {
  return {
    name: 'list-data',
    setup(build) {
      build.onLoad({ filter: /[\\/]core[\\/]data[\\/][a-z-]+\.json$/ }, async ({ path }) => {
        const strip = kept[basename(path)];
        if (strip === undefined) return undefined;
        const text = await readFile(path, 'utf8');
        const { version, updated }: { version: number; updated: string } = JSON.parse(text);
        const head = JSON.stringify({ version, updated }).slice(1, -1);
        return { contents: `export default { ${head}, ${strip(text)} };`, loader: 'js' };
      });
    },
  };
}
