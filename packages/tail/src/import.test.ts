import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { LINE_REJECTS } from '@ghostlight/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { line, lines, PERSON, Workbench } from './testing/run.ts';

let bench: Workbench;
beforeEach(async () => {
  bench = new Workbench();
  await bench.service.start();
});
afterEach(() => bench.dispose());

/** By their ids, as the service keeps them. */
const kept = () => new Set(bench.service.visits().map(({ request_id }) => request_id)).size;

describe('an import', () => {
  it('tells first what will change, and begins when a person agrees', async () => {
    writeFileSync(bench.path('a.log'), lines(0, 3) + line(9, { agent: PERSON }));
    writeFileSync(bench.path('b.log.gz'), gzipSync(lines(5, 2).replaceAll('22/Nov/2026', '01/Mar/2026')));
    bench.says = false;
    const refused = bench.import('*.log*');
    expect(await refused.ended).toBe(1);
    expect(refused.told()).toContain('2 files, 6 lines: 5 AI visits.');
    expect(refused.told()).toContain('These days will change (UTC): 2026-03-01 to 2026-11-22, 2 days');
    expect(refused.told()).toContain('  2026-03-01  2 visits');
    expect(bench.service.posts).toEqual([]);
    bench.says = true;
    const agreed = bench.import('*.log*');
    expect(await agreed.ended).toBe(0);
    expect(agreed.told()).toContain('The service kept 5, had 0 already');
    expect(bench.service.posts.every(({ path }) => path === '/v1/logs/import')).toBe(true);
    expect(kept()).toBe(5);
  });

  it('prints its figures as one line of JSON, and the visits of a dry run only without', async () => {
    writeFileSync(bench.path('a.log'), `${lines(0, 3)}${line(9, { agent: PERSON })}no line of a log\n`);
    const tried = bench.import('a.log', '--dry-run');
    expect(await tried.ended).toBe(3);
    expect(tried.out().trim().split('\n')).toHaveLength(3);
    const figures = {
      ...{ lines: 5, ai_visits: 3, other_requests: 1, lines_without_request: 0, left_out: 0 },
      lines_not_read: { [LINE_REJECTS.other_format]: 1 },
    };
    const counted = bench.import('a.log', '--dry-run', '--json');
    expect(await counted.ended).toBe(3);
    expect(JSON.parse(counted.out())).toEqual({ ...figures, service: null });
    const sent = bench.import('a.log', '--yes', '--json');
    expect(await sent.ended).toBe(3);
    expect(sent.out()).toMatch(/^[^\n]+\n$/);
    expect(JSON.parse(sent.out())).toEqual({
      ...figures,
      service: { kept: 3, duplicate: 0, dropped: 0, rejected: 0, reasons: {} },
    });
  });

  it('announces a log and its compressed copy once', async () => {
    writeFileSync(bench.path('a.log'), lines(0, 3));
    writeFileSync(bench.path('a.log.gz'), gzipSync(lines(0, 3)));
    const running = bench.import('a.log*', '--yes');
    expect(await running.ended).toBe(0);
    expect(running.told()).toContain('2 files, 3 lines: 3 AI visits.');
    expect(running.told()).toContain('The service kept 3, had 0 already');
  });

  it('asks for --yes where no person is', async () => {
    writeFileSync(bench.path('a.log'), lines(0, 3));
    const running = bench.import('a.log');
    expect(await running.ended).toBe(2);
    expect(running.told()).toContain('Start with --yes.');
    expect(await bench.import('a.log', '--yes').ended).toBe(0);
  });

  it.each([
    ['plain', (text: string) => Buffer.from(text)],
    ['gzip', (text: string) => gzipSync(text)],
    ['zstd', (text: string) => zstdCompressSync(text)],
    [
      'gzip in several members',
      (text: string) => Buffer.concat([gzipSync(text.slice(0, 999)), gzipSync(text.slice(999))]),
    ],
  ])('reads %s files, and the same visits have the same ids', async (_, packed) => {
    const text = lines(0, 50) + line(7, { path: '/same' }).repeat(3) + line(60).trimEnd();
    writeFileSync(bench.path('a.log'), packed(text));
    expect(await bench.import('a.log', '--yes').ended).toBe(0);
    expect(kept()).toBe(54);
    const [first] = [...bench.service.taken];
    expect(await bench.import('a.log', '--yes').ended).toBe(0);
    expect([...bench.service.taken]).toEqual([first]);
  });

  it('goes on where it was ended, whatever had been sent', async () => {
    const text = Array.from({ length: 40 }, (_, hour) =>
      lines(hour * 2000, 200, { agent: `GPTBot/1.3 ${'x'.repeat(300)}` }),
    ).join('');
    writeFileSync(bench.path('a.log'), zstdCompressSync(text));
    let posts = 0;
    bench.service.answer = () => {
      posts += 1;
      return posts > 3 ? { status: 503 } : undefined;
    };
    const first = bench.import('a.log', '--yes');
    await expect.poll(() => posts).toBeGreaterThan(4);
    expect(await first.stop()).toBe(1);
    expect(first.told()).toContain('Start the same command again to go on from here.');
    expect(kept()).toBeGreaterThan(0);
    expect(kept()).toBeLessThan(8000);
    bench.service.answer = () => undefined;
    const second = bench.import('a.log', '--yes');
    expect(await second.ended).toBe(0);
    expect(second.told()).toContain('Going on where the last import of these files ended.');
    expect(kept()).toBe(8000);
    expect(bench.service.visits()).toHaveLength(8000);
  });

  it('tells what was not read, and why', async () => {
    const bad = [
      ...Array.from({ length: 3 }, () => 'torn line\n'),
      line(99).slice(0, -4),
      '\n',
      'x'.repeat(300_000),
      '\n',
    ];
    writeFileSync(bench.path('a.log'), lines(0, 30) + bad.join(''));
    const running = bench.import('a.log', '--yes');
    expect(await running.ended).toBe(3);
    expect(running.told()).toContain('3 lines not read: The line is not in this format.');
    expect(running.told()).toContain('1 line not read: The line is truncated');
    expect(running.told()).toContain('1 line not read: The line is longer than 256 KiB.');
  });

  it.each([
    [['nowhere.log'], 'no such file'],
    [['.'], 'is no file'],
  ])('of %j is refused before anything is sent', async (files, sentence) => {
    const running = bench.run(
      'import',
      ...files.map((file) => bench.path(file)),
      '--to',
      bench.service.address,
      '--yes',
    );
    expect(await running.ended).toBe(1);
    expect(running.told()).toContain(sentence);
  });

  it('of a damaged archive ends with what it could read kept', async () => {
    const whole = gzipSync(lines(0, 3000));
    writeFileSync(bench.path('a.log.gz'), whole.subarray(0, whole.length - 100));
    const running = bench.import('a.log.gz', '--yes');
    expect(await running.ended).toBe(1);
    expect(running.told()).toContain("can't be read to its end");
  });

  it('of lines in no known format asks for it', async () => {
    writeFileSync(bench.path('a.log'), 'what is this\n'.repeat(30));
    const running = bench.import('a.log', '--yes');
    expect(await running.ended).toBe(1);
    expect(running.told()).toContain('State it: --format NAME');
  });

  it('sends what a tail has sent under the same ids', async () => {
    writeFileSync(bench.path('access.log'), lines(0, 20));
    expect(await bench.tail('access.log', '--once').ended).toBe(0);
    appendFileSync(bench.path('access.log'), lines(20, 5));
    writeFileSync(bench.path('old.log.gz'), gzipSync(readFileSync(bench.path('access.log'))));
    expect(await bench.import('old.log.gz', '--yes').ended).toBe(0);
    expect(bench.service.visits()).toHaveLength(45);
    expect(kept()).toBe(25);
  });
});
