/** Every release's data directory, opened by this version: migrated, compared with what its own version said of it, and its spool shipped. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { expectConservation } from '../harness/conservation.ts';
import { TestService } from '../harness/service.ts';
import { type Recording, take } from './recording.ts';
import { SETTINGS } from './scenario.ts';

const HERE = fileURLToPath(new URL('./', import.meta.url));
const VERSIONS = readdirSync(HERE)
  .filter((name) => name.endsWith('.tar.gz'))
  .map((name) => name.replace('.tar.gz', ''));

it('there is a recording of a release', () => {
  expect(VERSIONS).toContain('0.1.0');
});

describe.each(VERSIONS)('the data directory of %s', (version) => {
  const service = new TestService(SETTINGS);
  afterAll(() => service.dispose());
  const recording = JSON.parse(readFileSync(join(HERE, `${version}.json`), 'utf8')) as Recording;

  it('is migrated at the start, and answers as it did', async () => {
    rmSync(service.dataDir, { recursive: true });
    mkdirSync(service.dataDir);
    execFileSync('tar', ['-xzf', join(HERE, `${version}.tar.gz`), '-C', service.dataDir]);
    await service.start();
    expect(await take(service, recording)).toMatchObject(recording.answers);
  });

  it('has its acknowledged visits shipped', async () => {
    await expectConservation(service);
    const { bots, referrals } = await take(service, { ...recording, id: recording.late });
    expect(bots).toMatchObject({ totals: { hits: 4, verified: 2, spoofed: 1, unknown: 1 } });
    expect(referrals).toMatchObject({ totals: { visits: 1 } });
  });
});
