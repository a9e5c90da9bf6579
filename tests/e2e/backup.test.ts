/** A backup of a service that is posted to all the while, restored elsewhere after the original was killed: nothing lost, nothing doubled. */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DAY_MS } from '../../packages/core/src/time.ts';
import { compare, rayOf } from '../crash/rounds.ts';
import { expectConservation, expectEventConservation } from '../harness/conservation.ts';
import { TestService, workerHit } from '../harness/service.ts';
import { take } from '../upgrades/recording.ts';
import { fill, SETTINGS } from '../upgrades/scenario.ts';

const folder = mkdtempSync(join(tmpdir(), 'ghostlight-backups-'));
const passphrase = join(folder, 'passphrase');
const original = new TestService(SETTINGS);
const restored = new TestService(SETTINGS);
const POSTERS = 4;
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';

beforeAll(async () => {
  writeFileSync(passphrase, 'correct horse battery\n');
  await original.start();
});
afterAll(async () => {
  await original.dispose();
  await restored.dispose();
  rmSync(folder, { recursive: true, force: true });
});

/** Hits, and now and then an event of a page, until it is ended. @returns how many events were acknowledged */
async function post(
  { id, key }: { id: string; key: string },
  sent: Set<string>,
  acknowledged: Set<string>,
  signal: AbortSignal,
): Promise<number> {
  let events = 0;
  while (!signal.aborted) {
    const paths = Array.from({ length: 3 }, () => `/crash/${randomUUID()}`);
    for (const path of paths) sent.add(path);
    const hits = paths.map((pathname) => workerHit({ pathname, ray_id: rayOf(pathname) }));
    const { status } = await original.hits(key, hits).catch(() => ({ status: 0 }));
    if (status === 204) for (const path of paths) acknowledged.add(path);
    const event = {
      ...{ event_name: 'page_view', event_id: randomUUID(), attribution_id: id, visitor_id: randomUUID() },
      ...{
        session_id: randomUUID(),
        session_start: true,
        page_location: 'https://load.example/',
        page_referrer: '',
      },
      consent: { analytics: true, advertising: true },
    };
    const answer = await original
      .call('POST', '/api/events', {
        headers: { 'Content-Type': 'text/plain;charset=UTF-8', 'User-Agent': CHROME },
        body: JSON.stringify(event),
      })
      .catch(() => ({ status: 0 }));
    if (answer.status === 200) events += 1;
    await sleep(5);
  }
  return events;
}

it('every hit that was acknowledged before it began is there once, and the figures are the same', async () => {
  const filled = await fill(original);
  await expectConservation(original);
  await original.run(['rollup']);
  const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
  const asked = { id: filled, from: dayOf(Date.now() - 3 * DAY_MS), to: dayOf(Date.now()) };
  const answers = await take(original, asked);

  const load = await original.property('Load', 'load.example');
  const [sent, acknowledged] = [new Set<string>(), new Set<string>()];
  const stop = new AbortController();
  const posting = Array.from({ length: POSTERS }, () => post(load, sent, acknowledged, stop.signal));
  while (acknowledged.size < 300) await sleep(20);

  // The service is killed in the midst of one: there is no file, and it starts again.
  const half = join(folder, 'half.tar.zst');
  const halfWay = original.run(['backup', 'create', half, '--passphrase-file', passphrase]);
  while (!existsSync(join(original.dataDir, 'backup-staging'))) await sleep(2);
  await original.stop('SIGKILL');
  expect(await halfWay).toMatchObject({ code: 1, stderr: expect.stringMatching(/\S/) });
  expect(existsSync(half)).toBe(false);
  await original.start();

  const before = new Set(acknowledged);
  const made = await original.run(['backup', `${folder}/`, '--passphrase-file', passphrase]);
  expect(made).toMatchObject({ code: 0, stderr: '' });
  const during = acknowledged.size - before.size;
  expect(during, 'intake went on').toBeGreaterThan(0);
  await original.stop('SIGKILL');
  stop.abort();
  await Promise.all(posting);

  const name = readdirSync(folder).find((each) => each.endsWith('Z.tar.zst')) ?? '';
  const file = join(folder, name);
  const checked = await restored.run(['backup', 'verify', file, '--json']);
  expect(checked.code).toBe(0);

  const words = ['restore', file, '--passphrase-file', passphrase];
  // The tables that every test's service begins with.
  expect(await restored.run(words)).toMatchObject({ code: 1, stderr: expect.stringContaining('--replace') });
  const put = await restored.run([...words, '--replace']);
  expect(put).toMatchObject({ code: 0, stderr: '' });
  expect(put.stdout).toMatch(/Spool "hits": .* kept = .* stored \+ .* waiting\.\n/);
  await restored.start();
  expect(await restored.run([...words, '--replace'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('in use by the Ghostlight process'),
  });

  const { stored } = await expectConservation(restored);
  await expectEventConservation(restored);
  const found = await compare(restored, load.id, before);
  expect(found).toMatchObject({ lost: [], doubled: [] });
  // Nothing that was never sent: what was acknowledged meanwhile may be there, or not.
  expect(found.stored).toBeLessThanOrEqual(sent.size);
  const rest = await compare(restored, filled, new Set());
  expect(found.rows + rest.rows).toBe(stored);
  expect(await take(restored, asked)).toEqual(answers);
  for (const log of [original.log, restored.log]) expect(log).not.toContain('correct horse');
});
