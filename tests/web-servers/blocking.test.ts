/** The rule against impersonators, pasted into the servers that are installed here. */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { RENDER } from '../../packages/server/src/reports/blocking/targets.ts';
import { freePort } from '../harness/free-port.ts';
import { binaryOf } from './servers.ts';

/** The IPv6 loopback address is the vendor's, the IPv4 one is not. */
const RULE = {
  bots: ['ChatGPT-User', 'Claude-User', 'ClaudeBot', 'GPTBot'],
  claims: [
    { names: ['chatgpt-user', 'gptbot'], spares: [] },
    { names: ['claude-user', 'claudebot'], spares: ['(claude-code/', 'claude-searchbot'] },
  ],
  allowed: ['192.0.2.0/24', '198.51.100.7/32', '2001:db8::/32', '::1/128'],
};
const HEAD = ['Made by Ghostlight', 'for a test'];

interface Started {
  readonly config: string;
  readonly args: readonly string[];
}
const SERVERS: Readonly<Record<'nginx' | 'apache' | 'caddy', (folder: string, port: number) => Started>> = {
  nginx(folder, port) {
    const [http, server] = RENDER.nginx(RULE, HEAD);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    return {
      args: [
        '-p',
        folder,
        '-c',
        join(folder, 'config'),
        '-e',
        join(folder, 'error.log'),
        '-g',
        'daemon off;',
      ],
      config: `${process.getuid?.() === 0 ? 'user root;' : ''}
pid ${folder}/nginx.pid;
events { worker_connections 64; }
http {
${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}
access_log off;
${http?.text}
server {
  listen 127.0.0.1:${port}; listen [::1]:${port};
  root ${folder};
  ${server?.text}
}
}`,
    };
  },
  apache: (folder, port) => ({
    args: ['-f', join(folder, 'config'), '-DFOREGROUND'],
    config: `ServerRoot ${folder}
PidFile ${folder}/apache.pid
${process.getuid?.() === 0 ? 'User www-data\nGroup www-data' : ''}
${['mpm_event', 'authz_core', 'authz_host'].map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join('\n')}
Listen 127.0.0.1:${port}
Listen [::1]:${port}
ServerName shop.example
DocumentRoot ${folder}
ErrorLog ${folder}/error.log
<Location "/closed">
  Require all denied
</Location>
${RENDER.apache(RULE, HEAD)[0]?.text}
`,
  }),
  caddy: (folder, port) => ({
    args: ['run', '--config', join(folder, 'config'), '--adapter', 'caddyfile'],
    config: `{
  admin off
}
http://:${port} {
  bind 127.0.0.1 ::1
  root * ${folder}
${RENDER.caddy(RULE, HEAD)[0]?.text}
  file_server
}
`,
  }),
};

let folder = '';
let child: ChildProcess | null = null;
afterEach(async () => {
  if (child !== null && child.exitCode === null) {
    const ended = new Promise((resolve) => child?.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
});

const NAMES = ['nginx', 'apache', 'caddy'] as const;
describe.each(NAMES)('%s', (name) => {
  it.skipIf(binaryOf(name) === null)('refuses an impersonator, and no other visitor', () => refuses(name));
});

async function refuses(name: (typeof NAMES)[number]): Promise<void> {
  const binary = binaryOf(name) ?? '';
  folder = mkdtempSync(join(tmpdir(), 'ghostlight-block-'));
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, 'page'), 'hello\n');
  writeFileSync(join(folder, 'closed'), 'secret\n');
  const port = await freePort();
  const { config, args } = SERVERS[name](folder, port);
  writeFileSync(join(folder, 'config'), config);
  let said = '';
  child = spawn(binary, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    said = `${said}${chunk}`.slice(-4_000);
  });
  const status = async (userAgent: string, from: '127.0.0.1' | '[::1]' = '127.0.0.1', path = '/page') => {
    const answer = await fetch(`http://${from}:${port}${path}`, { headers: { 'User-Agent': userAgent } });
    await answer.text();
    return answer.status;
  };
  for (let turn = 0; ; turn += 1) {
    const up = await status('curl/8').catch(() => 0);
    if (up > 0) break;
    if (turn > 200 || child.exitCode !== null) throw new Error(`${name} did not start: ${said}`);
    await sleep(50);
  }
  const gptbot = 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)';
  expect(await status(gptbot)).toBe(403);
  expect(await status('CHATGPT-USER')).toBe(403);
  expect(await status(gptbot, '[::1]')).toBe(200);
  expect(await status('ClaudeBot/1.0')).toBe(403);
  for (const userAgent of [
    'MyGPTBot/1.0',
    'GPTBot-Checker/1.0',
    'Claude-User (claude-code/2.1)',
    'Claude-SearchBot/1.0; ClaudeBot',
    'Firefox',
  ])
    expect(await status(userAgent), userAgent).toBe(200);
  // What spares one name, or a second name, spares no other.
  for (const userAgent of ['GPTBot (claude-code/2.1)', 'GPTBot Claude-SearchBot', 'CCBot GPTBot'])
    expect(await status(userAgent), userAgent).toBe(403);
  // What was closed before stays closed.
  if (name === 'apache') expect(await status('Firefox', '127.0.0.1', '/closed')).toBe(403);
}
