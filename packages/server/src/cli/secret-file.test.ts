import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Command, CommandError } from './command.ts';
import { KEY_FILE, keepOrShow } from './secret-file.ts';
import { runWords } from './testing.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ghostlight-secret-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

let made = 0;
const issue: Command = {
  name: 'issue',
  summary: 'issue a key',
  options: [KEY_FILE, { name: 'refuse', about: 'as a service that is down' }],
  json: '{}',
  examples: [],
  run: async (context) =>
    await keepOrShow(context, async () => {
      if (context.flag('refuse')) throw new CommandError('Refused.');
      made += 1;
      return { data: { id: 'k1', key: 'svc_secret' }, secret: 'key' };
    }),
};

it('a secret is printed in the first line, or kept in a new file that its owner alone can read', async () => {
  expect((await runWords([issue], ['issue'])).stdout).toBe(
    'svc_secret\nStore it now: it is not shown again.\n',
  );
  const file = join(folder, 'key');
  const { stdout } = await runWords([issue], ['issue', '--json', '--key-file', file]);
  expect(JSON.parse(stdout)).toEqual({ id: 'k1', key_file: file });
  expect(readFileSync(file, 'utf8')).toBe('svc_secret\n');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('nothing is made where the file stands already or can’t be written, and no file where nothing is made', async () => {
  const there = join(folder, 'there');
  writeFileSync(there, 'kept');
  const before = made;
  for (const file of [there, join(folder, 'no', 'such', 'folder')]) {
    const { code, stdout } = await runWords([issue], ['issue', '--key-file', file]);
    expect([code, stdout]).toEqual([1, '']);
  }
  expect(made).toBe(before);
  expect(readFileSync(there, 'utf8')).toBe('kept');
  const refused = join(folder, 'refused');
  expect((await runWords([issue], ['issue', '--refuse', '--key-file', refused])).stderr).toBe('Refused.\n');
  expect(() => statSync(refused)).toThrow('ENOENT');
});
