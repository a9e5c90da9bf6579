/**
 * Records the data directory of this version for the tests of later ones: `node tests/upgrades/record.ts`, once for each release, before
 * its version number changes. Writes `<version>.tar.gz` and `<version>.json` beside this file; a recording is never made again.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DAY_MS } from '../../packages/core/src/time.ts';
import { expectConservation } from '../harness/conservation.ts';
import { TestService } from '../harness/service.ts';
import { type Recording, take } from './recording.ts';
import { fill, post, SETTINGS } from './scenario.ts';

const HERE = fileURLToPath(new URL('./', import.meta.url));
const { version } = JSON.parse(
  readFileSync(new URL('../../packages/server/package.json', import.meta.url), 'utf8'),
) as { version: string };
if (existsSync(`${HERE}${version}.json`)) {
  console.error(
    `There is a recording of ${version} already. Later versions are tested with it: leave it as it is.`,
  );
  process.exit(1);
}

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
const service = new TestService(SETTINGS);
try {
  await service.start();
  const id = await fill(service);
  await expectConservation(service);
  await service.run(['rollup']);
  const asked = { id, from: dayOf(Date.now() - 3 * DAY_MS), to: dayOf(Date.now()) };
  const answers = await take(service, asked);
  // What is acknowledged while the warehouse hangs is in the spool alone when the process is killed.
  const late = await service.property('Late', 'late.example');
  service.signalWarehouse('SIGSTOP');
  await post(service, late.key, 1);
  await service.stop('SIGKILL');
  service.signalWarehouse('SIGKILL');
  const kept = ['--exclude=control.sock', '--exclude=service.json', '--exclude=*.pid'];
  execFileSync('tar', ['-czf', `${HERE}${version}.tar.gz`, ...kept, '-C', service.dataDir, '.']);
  const recording: Recording = { ...asked, late: late.id, answers };
  writeFileSync(`${HERE}${version}.json`, `${JSON.stringify(recording, null, 2)}\n`);
} finally {
  await service.dispose();
}
