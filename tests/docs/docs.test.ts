/** Every command of the documentation is run unchanged, against a real service on another port; every setting is documented. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clfTime } from '../../packages/core/src/log-formats/testing/print.ts';
import { DAY_MS } from '../../packages/core/src/time.ts';
import { pluginArchive } from '../../packages/wordpress/build/artefacts.ts';
import { ADMIN_TOKEN, TestService } from '../harness/service.ts';
import { APACHE_LOG_FORMAT, NGINX_LOG_FORMAT } from '../web-servers/servers.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const documents = [
  'README.md',
  ...readdirSync(`${root}docs`)
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const read = (name: string) => readFileSync(`${root}${name}`, 'utf8');

/** Fenced shell blocks of a document. */
function blocks(text: string): string[] {
  return [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');
}
/** These start or install things; what they run is tested by the end-to-end tests, and here only that the script exists. */
const LIFECYCLE = /^(?:[A-Z_]+=\S+ )*npm (ci|start|test|run \S+)(?: && npm (start|test|run \S+))?$/;

/** Where the documentation finds the logs of nginx. */
const logs = mkdtempSync(join(tmpdir(), 'ghostlight-docs-'));
const service = new TestService();
let environment: Record<string, string>;

beforeAll(async () => {
  await service.start();
  const { id, key } = await service.property();
  environment = {
    PATH: `${root}node_modules/.bin:${process.env['PATH'] ?? ''}`,
    TOKEN: ADMIN_TOKEN,
    PROPERTY: id,
    KEY: key,
    DATA_DIR: service.dataDir,
    ADMIN_TOKEN,
    LISTS_REFRESH: 'off',
    XDG_STATE_HOME: logs,
  };
  for (const [name, days] of Object.entries({ 'access.log': 0, 'access.log.1': 40 }))
    writeFileSync(join(logs, name), accessLog(Date.now() - days * DAY_MS));
});
afterAll(async () => {
  rmSync(logs, { recursive: true, force: true });
  await service.dispose();
});

function accessLog(at: number): string {
  const agent =
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)';
  return Array.from(
    { length: 20 },
    (_, index) =>
      `203.0.113.9 - - [${clfTime(at - index * 1000)}] "GET /${index} HTTP/1.1" 200 612 "-" "${agent}"\n`,
  ).join('');
}

async function shell(script: string): Promise<{ stdout: string; code: number }> {
  const here = script
    .replaceAll('http://localhost:8080', service.address)
    .replaceAll('curl ', 'curl --fail-with-body ')
    .replaceAll('/var/log/nginx/', `${logs}/`)
    // As npm installs it.
    .replaceAll(/^ghostlight-tail /gm, `"${process.execPath}" packages/tail/dist/ghostlight-tail.js `)
    // As npx finds it once npm has linked the workspace's command; that it is one, a test below says.
    .replaceAll('npx ghostlight ', `"${process.execPath}" packages/server/bin/ghostlight.js `);
  try {
    const { stdout } = await promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', here], {
      env: environment,
      cwd: root,
      maxBuffer: 64 * 1024 ** 2,
    });
    return { stdout, code: 0 };
  } catch (error) {
    const { stdout, stderr, code } = error as { stdout: string; stderr: string; code: number };
    return { stdout: `${stdout}${stderr}`, code };
  }
}

describe('the documentation', () => {
  const scripts = (JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts;

  // The README's first blocks set PROPERTY and KEY for the later ones: they run together, like a reader types them.
  it.each(documents)('%s: every command works', async (name) => {
    const commands: string[] = [];
    for (const block of blocks(read(name))) {
      const lines = block.trimEnd().split('\n');
      const lifecycle = lines.filter((line) => LIFECYCLE.test(line));
      for (const line of lifecycle) {
        for (const [, script = ''] of line.matchAll(
          /npm (?:run )?(start|test|demo|crash|bench|check|fix|package)\b/g,
        )) {
          expect(Object.keys(scripts), line).toContain(script);
        }
      }
      commands.push(
        ...lines.filter((line) => !lifecycle.includes(line) && line !== 'npx ghostlight spool drain'),
      );
    }
    if (commands.length === 0) return;
    const { stdout, code } = await shell(commands.join('\n'));
    expect(code, stdout).toBe(0);
  });

  it('lets a reader see the README’s first hit live', async () => {
    const { stdout, code } = await shell(
      blocks(read('README.md'))
        .filter((block) => block.includes('curl'))
        .join('\nsleep 2\n'),
    );
    expect(code, stdout).toBe(0);
    expect(stdout).toContain('204 No Content');
    expect(stdout).toContain('"bot_name":"GPTBot"');
  });

  it('names an address from which the WordPress plugin is downloaded', async () => {
    expect(read('docs/wordpress.md')).toContain('`/ghostlight.zip`');
    const answer = await fetch(`${service.address}/ghostlight.zip`);
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'application/zip']);
    expect(Buffer.from(await answer.arrayBuffer()).equals(pluginArchive())).toBe(true);
  });

  it('names a command that npm links', () => {
    const { bin } = JSON.parse(read('packages/server/package.json')) as { bin: Record<string, string> };
    expect(bin).toEqual({ ghostlight: './bin/ghostlight.js' });
    expect(read('packages/server/bin/ghostlight.js')).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  it('lists every setting, and no other', () => {
    const config = ['config.ts', 'config-sign-in.ts']
      .map((name) => readFileSync(`${root}packages/server/src/${name}`, 'utf8'))
      .join('\n');
    const known = new Set([...config.matchAll(/\benv, '([A-Z_]+)'/g)].map((match) => match[1]));
    known.delete(undefined);
    const table = read('docs/configuration.md').matchAll(/^\|((?: `[A-Z_]+`,?)+) \|/gm);
    const documented = new Set(
      [...table].flatMap((row) => [...(row[1] ?? '').matchAll(/`([A-Z_]+)`/g)].map((match) => match[1])),
    );
    expect([...documented].sort()).toEqual([...known].sort());
  });

  it('gives the log formats that the recordings of real servers were made with', () => {
    const guide = read('docs/tail-and-import.md');
    expect(guide).toContain(NGINX_LOG_FORMAT);
    expect(guide).toContain(APACHE_LOG_FORMAT);
  });

  it('links only to files that exist', () => {
    for (const name of ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', ...documents]) {
      const folder = name.includes('/') ? `${root}${name.slice(0, name.lastIndexOf('/'))}/` : root;
      for (const [, target = ''] of read(name).matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
        expect(
          () => readFileSync(`${folder}${target}`).length || readdirSync(`${folder}${target}`),
          `${name} → ${target}`,
        ).not.toThrow(/ENOENT/);
      }
    }
  });
});

describe('the files for monitoring', () => {
  /** Every series of the service, of the process and of Node. */
  const exposed = async () => {
    const text = await (await fetch(`${service.address}/metrics`)).text();
    return new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name));
  };
  const metricsIn = (text: string) => text.match(/\bghostlight_[a-z0-9_]+/g) ?? [];

  it('ask for metrics that the service has', async () => {
    const known = await exposed();
    for (const name of ['deploy/prometheus/alerts.yaml', 'deploy/grafana/ghostlight.json']) {
      const asked = metricsIn(read(name));
      expect(asked.length).toBeGreaterThan(10);
      expect(
        asked.filter((metric) => !known.has(metric)),
        name,
      ).toEqual([]);
    }
  });

  it('have each metric of the service in the runbook', async () => {
    const own = [...(await exposed())].filter((name) => !/^ghostlight_(process|nodejs)_/.test(name));
    const documented = [...read('docs/runbook.md').matchAll(/^\| `(ghostlight_\w+)` \|/gm)].map(
      ([, name]) => name,
    );
    expect(documented).toEqual(own.sort());
  });

  it('and the documents name metrics as the runbook does, with labels that they have', () => {
    const rows = [...read('docs/runbook.md').matchAll(/^\| `(ghostlight_\w+)` \| ([^|]*) \|/gm)];
    const labels = new Map(rows.map(([, name = '', list = '']) => [name, list.split(', ')]));
    const files = ['deploy/prometheus/alerts.yaml', 'deploy/grafana/ghostlight.json', ...documents];
    const wrong = files.flatMap((file) => {
      const text = read(file);
      const named = text.match(/\bghostlight_[a-z0-9_]+_(?:bytes|rows|seconds|total)\b/g) ?? [];
      const labelled = [...text.matchAll(/\b(ghostlight_\w+)\{\s*(\w+)\s*[=!]/g)];
      return [
        ...named.filter((name) => !labels.has(name) && !/^ghostlight_(?:process|nodejs)_/.test(name)),
        ...labelled
          .filter(([, name = '', label = '']) => !labels.get(name)?.includes(label))
          .map(([all]) => all),
      ].map((what) => `${file}: ${what}`);
    });
    expect(labels.size).toBeGreaterThan(40);
    expect(wrong).toEqual([]);
  });

  it('lead from each alert to its section of the runbook', () => {
    const alerts = [...read('deploy/prometheus/alerts.yaml').matchAll(/alert: (\w+)[\s\S]*?runbook: (\S+)/g)];
    const sections = [...read('docs/runbook.md').matchAll(/^### (Ghostlight\w+)$/gm)].map(([, name]) => name);
    expect(sections).toEqual(alerts.map(([, name]) => name));
    for (const [, name = '', place] of alerts) expect(place).toBe(`docs/runbook.md#${name.toLowerCase()}`);
  });
});
