/** The list files as the collector carries them: their evidence (sources, tiers, what was denied and why) is for people and stays out. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { AgentsFile, BotsFile, ReferrersFile } from '@ghostlight/core';
import type { Plugin } from 'esbuild';

/** What `buildLists` reads of a file, and nothing else. */
const kept: Record<string, (text: string) => object> = {
  'bots.json': (text) => {
    const { version, updated, bots }: BotsFile = JSON.parse(text);
    return {
      version,
      updated,
      bots: bots.map(({ token, name, vendor, engine, intent }) => ({ token, name, vendor, engine, intent })),
    };
  },
  'referrers.json': (text) => {
    const { version, updated, domains, apps }: ReferrersFile = JSON.parse(text);
    return {
      version,
      updated,
      domains: domains.map(({ domain, engine }) => ({ domain, engine })),
      apps: apps.map(({ package: name, engine }) => ({ package: name, engine })),
    };
  },
  'signature-agents.json': (text) => {
    const { version, updated, agents }: AgentsFile = JSON.parse(text);
    return {
      version,
      updated,
      agents: agents.map(({ engine, bot_name, intent, url, url_pattern, keys }) => ({
        engine,
        bot_name,
        intent,
        url,
        url_pattern,
        keys: keys.map(({ x, kid }) => ({ x, kid })),
      })),
    };
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
        return { contents: JSON.stringify(strip(await readFile(path, 'utf8'))), loader: 'json' };
      });
    },
  };
}
