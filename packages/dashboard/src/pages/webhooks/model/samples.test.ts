import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { TOPICS } from '@ghostlight/core/conversion';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { topicUrl } from '../../../features/conversions/topics.ts';
import { type Language, SIZES } from '../search.ts';
import { exampleBody } from './bodies.ts';
import { KEY_PLACEHOLDER, sample } from './samples.ts';

const run = promisify(execFile);
const KEY = 'svc_wh_0123456789';
/** Every quote and escape of the four languages, and of the shell. */
const HOSTILE = `it's "$(odd)" \\ \`x\` $HOME \\' \\n {$a} %s 💡 ü`;

interface Received {
  authorization: string | undefined;
  path: string | undefined;
  body: unknown;
}
const received: Received[] = [];
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  received.push({
    authorization: request.headers.authorization,
    path: request.url,
    body: JSON.parse(Buffer.concat(chunks).toString()),
  });
  response.setHeader('Content-Type', 'application/json');
  response.end('{"status":"success"}');
});
let base = '';

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  received.length = 0;
});
afterAll(() => server.close());

const RUNNERS: Readonly<Record<Language, readonly [program: string, flags: readonly string[]]>> = {
  curl: ['sh', ['-c']],
  node: [process.execPath, ['--input-type=module', '-e']],
  php: ['php', ['-r']],
  python: ['python3', ['-c']],
};

/** Whether the machine has the program that a sample needs. Node and a shell are always available. */
async function has(program: string): Promise<boolean> {
  return await run(program, ['--version']).then(
    () => true,
    () => false,
  );
}

describe.each(Object.entries(RUNNERS) as [Language, (typeof RUNNERS)[Language]][])(
  'the %s sample',
  (language, [program, flags]) => {
    it('posts the body that it shows, with any content', async (context) => {
      const wanted = language === 'curl' ? 'curl' : program;
      if (!(await has(wanted))) return context.skip(`${wanted} is not installed`);
      const url = topicUrl(`${base}/webhooks/custom/id`, 'purchase');
      const body = { ...exampleBody('purchase', 'full'), discount_code: HOSTILE, 'it\'s "odd"': true };
      const text = sample(language, { url, key: KEY, body });
      await run(program, [...flags, language === 'php' ? text.replace('<?php\n', '') : text]);
      expect(received).toEqual([
        { authorization: `Bearer ${KEY}`, path: '/webhooks/custom/id/purchase', body },
      ]);
    });
  },
);

it('shows a placeholder while no key is held', () => {
  const text = sample('node', { url: base, key: null, body: {} });
  expect(text).toContain(`Bearer ${KEY_PLACEHOLDER}`);
});

it('has a body of each size for each topic; the full one has the visitor id that a match needs', () => {
  for (const topic of TOPICS) {
    const [minimal, full] = SIZES.map((size) => Object.keys(exampleBody(topic, size)));
    expect(full).toEqual(expect.arrayContaining(minimal ?? []));
    expect(full?.includes('visitor_id'), topic).toBe(topic !== 'refund');
  }
});
