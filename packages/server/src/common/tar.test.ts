import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { readTar, TAR_END, TarError, tarHeader, tarPadding } from './tar.ts';

const directory = mkdtempSync(join(tmpdir(), 'ghostlight-tar-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const archive = (files: Readonly<Record<string, Uint8Array>>): Buffer =>
  Buffer.concat([
    ...Object.entries(files).flatMap(([name, body]) => [
      tarHeader(name, body.length, 1_000_000),
      body,
      tarPadding(body.length),
    ]),
    TAR_END,
  ]);

async function* pieces(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

async function read(bytes: Uint8Array, length = 700): Promise<Record<string, string>> {
  // Entries, because one may be named `__proto__`.
  const files: [name: string, hex: string][] = [];
  for await (const { name, body } of readTar(pieces(bytes, length))) {
    const parts: Buffer[] = [];
    for await (const part of body) parts.push(part);
    files.push([name, Buffer.concat(parts).toString('hex')]);
  }
  return Object.fromEntries(files);
}

const NAME = fc
  .array(fc.stringMatching(/^[\w%@-]{1,40}$/), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join('/'));

it('reads what it wrote, however the stream is cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(NAME, fc.uint8Array({ maxLength: 2_000 }), { noNullPrototype: true }),
      fc.integer({ min: 1, max: 3_000 }),
      async (files, length) => {
        const hex = Object.fromEntries(
          Object.entries(files).map(([name, body]) => [name, Buffer.from(body).toString('hex')]),
        );
        expect(await read(archive(files), length)).toEqual(hex);
      },
    ),
    { numRuns: 60 },
  );
});

it('is what the system’s tar unpacks, names that need a prefix among them', () => {
  const long = `${'d'.repeat(80)}/${'f'.repeat(90)}`;
  writeFileSync(
    join(directory, 'a.tar'),
    archive({ 'a/b.txt': Buffer.from('hello'), [long]: Buffer.from('x') }),
  );
  execFileSync('tar', ['-xf', 'a.tar'], { cwd: directory });
  expect(readFileSync(join(directory, 'a/b.txt'), 'utf8')).toBe('hello');
  expect(readFileSync(join(directory, long), 'utf8')).toBe('x');
});

it('reads a size above 8 GiB', async () => {
  const size = 9 * 1024 ** 3 + 5;
  const entries = readTar(pieces(tarHeader('large', size, 0), 512));
  const { value } = await entries.next();
  expect(value).toMatchObject({ name: 'large', size });
});

it('refuses links, ways out of the folder, and headers that were changed', async () => {
  mkdirSync(join(directory, 'links'));
  execFileSync('ln', ['-s', '/etc/passwd', 'links/l'], { cwd: directory });
  execFileSync('tar', ['-cf', 'links.tar', '--format=ustar', 'links/l'], { cwd: directory });
  await expect(read(readFileSync(join(directory, 'links.tar')))).rejects.toThrow('no file (links/l)');
  for (const name of ['../a', '/a', 'a//b', 'a/../../b', './a', 'a\\b'])
    expect(() => tarHeader(name, 0, 0), name).toThrow(TarError);
  const outside = Buffer.from(archive({ 'xx/passwd': Buffer.from('x') }));
  outside.write('..', 0);
  // The checksum is right again: 'x' is 120, '.' is 46.
  const sum = Number.parseInt(outside.toString('latin1', 148, 154), 8) - 2 * (120 - 46);
  outside.write(sum.toString(8).padStart(6, '0'), 148);
  await expect(read(outside)).rejects.toThrow('lies outside the target folder');
  const changed = Buffer.from(archive({ a: Buffer.from('x') }));
  changed[0] = 98;
  await expect(read(changed)).rejects.toThrow(TarError);
});

it('tells an archive that was cut off anywhere from a whole one', async () => {
  const whole = archive({ 'a/b': Buffer.alloc(600, 1), c: Buffer.from('c') });
  for (let cut = 1; cut < whole.length; cut += 97)
    await expect(read(whole.subarray(0, -cut)), String(cut)).rejects.toThrow(TarError);
  await expect(read(Buffer.concat([whole, Buffer.from('x')]))).rejects.toThrow('data follows its end');
  expect(Object.keys(await read(Buffer.concat([whole, Buffer.alloc(8_192)])))).toEqual(['a/b', 'c']);
});
