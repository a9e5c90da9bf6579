import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, expectTypeOf, it } from 'vitest';
import type * as source from '../src/index.ts';
import { WORKER_VERSION } from '../src/version.ts';
import { makeArtefacts } from './artefacts.ts';
import type * as published from './index.d.ts';
import { noticeFor } from './notice.ts';

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string) => readFileSync(`${REPOSITORY}${path}`, 'utf8');
const folder = process.cwd();
afterEach(() => process.chdir(folder));

const artefacts = await makeArtefacts();
const textOf = (name: string): string => artefacts.get(name) ?? '';

describe('the build', () => {
  it('gives the same bytes twice, from whichever folder', async () => {
    process.chdir(tmpdir());
    expect(await makeArtefacts()).toEqual(artefacts);
  });

  it('leaves no path of this machine, and no time of today, in what it makes', () => {
    const today = new Date().toISOString().slice(0, 10);
    for (const text of artefacts.values()) {
      expect(text).not.toContain(REPOSITORY);
      expect(text).not.toContain('file://');
      expect(text).not.toMatch(new RegExp(`${today}T\\d\\d:\\d\\d`));
    }
  });
});

describe('the Worker', () => {
  // A goal of the design: what every isolate of every customer loads, licences included.
  it('is at most 30 kB gzip', () => {
    expect(gzipSync(textOf('dist/ghostlight-collector.js'), { level: 9 }).length).toBeLessThanOrEqual(30_000);
  });

  it('says its version on the first line, and its licences, for who meets it in an account', () => {
    const [first] = textOf('dist/ghostlight-collector.js').split('\n');
    expect(first).toMatch(
      new RegExp(`^// Ghostlight collector ${WORKER_VERSION.replaceAll('.', '\\.')}\\. `),
    );
    expect(textOf('dist/ghostlight-collector.js')).toContain('Permission is hereby granted');
  });

  it('carries of the lists what it reads and not their evidence', () => {
    expect(textOf('dist/index.js')).toContain('GPTBot');
    expect(textOf('dist/index.js')).not.toContain('copied_from');
    expect(textOf('dist/index.js')).not.toContain('ai.robots.txt');
    expect(textOf('dist/index.js')).not.toContain('not read by us');
  });
});

describe('the declarations', () => {
  it('need no other file', () => {
    expect(textOf('dist/index.d.ts')).not.toMatch(/\b(import|from|require|reference)\b\s*[('"]/);
  });

  it('say what the sources say', () => {
    expectTypeOf<typeof published.default>().toEqualTypeOf<typeof source.default>();
    expectTypeOf<typeof published.withGhostlight>().toEqualTypeOf<typeof source.withGhostlight>();
    expectTypeOf<keyof typeof published>().toEqualTypeOf<keyof typeof source>();
    expectTypeOf<published.CollectorEnv>().toEqualTypeOf<source.CollectorEnv>();
    expectTypeOf<published.WorkerContext>().toEqualTypeOf<source.WorkerContext>();
    // The compiler checks the lines above; this one, that it has been given the right file.
    expect(textOf('dist/index.d.ts')).toContain('export default collector');
  });
});

describe('the licences', () => {
  it('name every work that was bundled, and are the ones in the repository', () => {
    for (const name of ['http-message-sig', 'structured-headers', 'isbot', 'jsonc-parser', 'smol-toml']) {
      expect(textOf('NOTICE')).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+, \\S+$`, 'm'));
    }
    expect(textOf('NOTICE')).toContain('Copyright (c) 2024 ai.robots.txt');
    expect(read('packages/collector/NOTICE')).toBe(textOf('NOTICE'));
    expect(read('packages/collector/LICENSE')).toBe(read('LICENSE'));
  });

  it('are asked for: a package without one is not bundled', () => {
    expect(() => noticeFor('Ghostlight', ['packages/core'])).toThrow('packages/core has no licence to ship');
  });
});
