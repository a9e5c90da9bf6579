/** The unit of systemd and the configurations of Caddy, checked by these programs where they are installed. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ROOT, read } from './files.ts';

const has = (program: string) => spawnSync(program, ['--version']).error === undefined;
const folder = mkdtempSync(join(tmpdir(), 'ghostlight-deploy-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const UNIT = 'deploy/systemd/ghostlight.service';
const PROGRAM = '/opt/ghostlight/node_modules/.bin/ghostlight';

describe.skipIf(!has('systemd-analyze'))('the unit of systemd', () => {
  const file = join(folder, 'ghostlight.service');

  it('is one that systemd accepts without a warning', () => {
    expect(read(UNIT)).toContain(`ExecStart=${PROGRAM} serve\n`);
    // systemd looks whether the program exists.
    writeFileSync(file, read(UNIT).replace(PROGRAM, '/bin/true'));
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
    expect({ status, about: stderr.split('\n').filter((line) => line.includes('ghostlight')) }).toEqual({
      status: 0,
      about: [],
    });
  });

  it('is shut off from the system: an exposure of at most 1.5 of 10', () => {
    const words = ['security', '--offline=true', '--threshold=15', file];
    expect(spawnSync('systemd-analyze', words, { encoding: 'utf8' }).status).toBe(0);
  });
});

describe.skipIf(!has('caddy'))('the configuration of Caddy', () => {
  it.each([
    ['deploy/caddy/Caddyfile', ['ghostlight:8080']],
    ['deploy/cluster/Caddyfile', ['ghostlight-1:8080', 'ghostlight-2:8080']],
  ])('%s passes the largest upload on to every node, and waits long enough', (file, nodes) => {
    const words = ['adapt', '--adapter', 'caddyfile', '--config', `${ROOT}${file}`];
    const text = execFileSync('caddy', words, {
      encoding: 'utf8',
      env: { ...process.env, DOMAIN: 'ghostlight.shop.example' },
    });
    const handlers = text.match(/\{"handler":"request_body"[^}]*\}/g);
    expect(handlers).toEqual([`{"handler":"request_body","max_size":${1_040 * 1024 ** 2}}`]);
    expect(text).toContain('"host":["ghostlight.shop.example"]');
    expect(text).toContain('"read_timeout":90000000000');
    expect([...text.matchAll(/"dial":"([^"]+)"/g)].map((match) => match[1])).toEqual(nodes);
  });
});
