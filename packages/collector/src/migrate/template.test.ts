/** The template that customers start from, and what a migration leaves: both are run. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { CollectorEnv } from '../platform.ts';
import { COMPATIBILITY_DATE } from '../testing/bundle.ts';
import { closesAfterEach } from '../testing/dispose.ts';
import { startEdge } from '../testing/edge.ts';
import { SERVICE_HOST, SITE_HOST } from '../testing/internet.ts';
import { until } from '../testing/until.ts';
import { API_KEY, ATTRIBUTION_ID, GPTBOT } from '../testing/values.ts';
import { DEFAULT_ENTRY, DEPENDENCIES, DEV_DEPENDENCIES, ENTRY_TEXT, SCRIPTS } from './shape.ts';
import { command, pathsIn, read, temporaryDirectories } from './testing/directories.ts';
import { oldRepository } from './testing/old-repositories.ts';
import { planUpdateBot } from './update-bot.ts';
import { readWranglerFile } from './wrangler-file.ts';

const TEMPLATE = fileURLToPath(new URL('../../../../templates/collector', import.meta.url));
const directories = temporaryDirectories();
const closeAfter = closesAfterEach();

const FILLED: Readonly<Record<string, string>> = {
  '<your domain>': SITE_HOST,
  '<your service>': SERVICE_HOST,
  '<attribution ID of your property>': ATTRIBUTION_ID,
};

/** A copy of the template, its placeholders filled in as its owner would. */
function filledIn(): string {
  const fill = (text: string) =>
    Object.entries(FILLED).reduce((all, [from, to]) => all.replaceAll(from, to), text);
  return directories.make(
    Object.fromEntries(pathsIn(TEMPLATE).map((path) => [path, fill(read(TEMPLATE, path))])),
  );
}

/** What the platform would run: the entry that `main` names, with the variables of the file and the secret. */
async function deploy(directory: string, wranglerPath: string) {
  const { values } = readWranglerFile(wranglerPath, read(directory, wranglerPath));
  const env = { ...(values['vars'] as CollectorEnv), SERVICE_API_KEY: API_KEY };
  // The package's source in its place: what was built of it last may be older.
  const entry = read(directory, String(values['main'])).replace("'@ghostlight/collector'", "'./index.ts'");
  return closeAfter(await startEdge({ entry, env, kv: true }));
}

async function isForwarded(directory: string, wranglerPath: string): Promise<void> {
  const edge = await deploy(directory, wranglerPath);
  const answer = await edge.visit(`https://${SITE_HOST}/products/lamp`, {
    headers: { 'user-agent': GPTBOT },
  });
  expect(await answer.text()).toBe('hello');
  await until('the visit is forwarded', () => edge.internet.hits().length > 0);
  const posted = edge.internet.requestsTo(SERVICE_HOST).find(({ method }) => method === 'POST');
  expect(posted?.headers.get('x-api-key')).toBe(API_KEY);
  expect(edge.internet.hits()).toEqual([
    expect.objectContaining({
      attribution_id: ATTRIBUTION_ID,
      pathname: '/products/lamp',
      user_agent: GPTBOT,
    }),
  ]);
}

it('pins exactly the version beside it, and is what a migration would write', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const manifest = JSON.parse(read(TEMPLATE, 'package.json'));
  expect(manifest.dependencies).toEqual({ '@ghostlight/collector': version });
  expect(manifest).toMatchObject({
    dependencies: DEPENDENCIES,
    devDependencies: DEV_DEPENDENCIES,
    scripts: SCRIPTS,
  });
  expect(read(TEMPLATE, DEFAULT_ENTRY)).toBe(ENTRY_TEXT);
  // What the README tells to paste, too.
  expect(read(TEMPLATE, 'README.md')).toContain(`npm pack @ghostlight/collector@${version}\n`);
  const bot = planUpdateBot(new Map(), {}, '');
  expect(bot).toMatchObject({
    path: '.github/dependabot.yml',
    text: read(TEMPLATE, '.github/dependabot.yml'),
  });
  expect(readWranglerFile('wrangler.jsonc', read(TEMPLATE, 'wrangler.jsonc')).values).toMatchObject({
    main: DEFAULT_ENTRY,
    compatibility_date: COMPATIBILITY_DATE,
  });
});

it('names no registry: it has no lockfile', () => {
  expect(pathsIn(TEMPLATE).filter((path) => /lock|shrinkwrap/.test(path))).toEqual([]);
});

it('fails its check as it is, naming every placeholder with file and line', async () => {
  const { code, stderr } = await command('check', TEMPLATE);
  expect(code).toBe(1);
  const lines = read(TEMPLATE, 'wrangler.jsonc').split('\n');
  const open = lines.flatMap((line, index) =>
    !line.trim().startsWith('//') && /<[^<>]+>/.test(line) ? [index + 1] : [],
  );
  expect(open).toHaveLength(6);
  for (const line of open)
    expect(stderr).toMatch(new RegExp(`^wrangler\\.jsonc:${line} .*placeholder <`, 'm'));
  for (const placeholder of Object.keys(FILLED)) expect(stderr).toContain(placeholder);
});

it('passes its check filled in, with the cache of the manifest uncommented or not', async () => {
  const directory = filledIn();
  expect(await command('check', directory)).toMatchObject({ code: 0, stderr: '' });
  const text = read(directory, 'wrangler.jsonc').replace('// , "kv_namespaces"', ', "kv_namespaces"');
  expect(await command('check', directories.make({ 'wrangler.jsonc': text }))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('<id of the namespace>'),
  });
  const bound = text.replace('<id of the namespace>', '0123456789abcdef0123456789abcdef');
  expect((await command('check', directories.make({ 'wrangler.jsonc': bound }))).code).toBe(0);
});

it('forwards a visit once it is filled in and deployed', async () => {
  await isForwarded(filledIn(), 'wrangler.jsonc');
});

it.each(['toml', 'jsonc'] as const)(
  'a migrated repository with wrangler.%s forwards a visit with its kept variables',
  async (format) => {
    const directory = directories.repository(oldRepository('0.3.4', format));
    expect((await command('migrate', directory, '--yes')).code).toBe(0);
    await isForwarded(directory, `wrangler.${format}`);
  },
);

it('has nothing to migrate', async () => {
  expect(await command('migrate', TEMPLATE)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Nothing to do'),
  });
});
