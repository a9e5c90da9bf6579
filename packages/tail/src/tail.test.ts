import {
  appendFileSync,
  copyFileSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { line, lines, PERSON, Workbench } from './testing/run.ts';

let bench: Workbench;
beforeEach(async () => {
  bench = new Workbench();
  await bench.service.start();
});
afterEach(() => bench.dispose());

const paths = () => bench.service.visits().map(({ pathname }) => pathname);
const expected = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => `/${from + index}`);
const settledPaths = (all: string[]) => expect.poll(() => paths().sort()).toEqual(all.sort());
const log = () => bench.path('access.log');

describe('what leaves the machine', () => {
  it('is AI visits, and the number of all others', async () => {
    writeFileSync(log(), '');
    const running = bench.tail('access.log');
    await expect.poll(() => running.told()).toBe('');
    appendFileSync(
      log(),
      [
        line(1, { path: '/bot?email=a@b.example' }),
        line(2, { path: '/person', agent: PERSON }),
        line(2, { path: '/style.css', agent: PERSON }),
        line(3, { path: '/other', agent: 'curl/8.5.0' }),
        line(4, {
          path: '/came?utm_source=chatgpt.com&token=x',
          agent: PERSON,
          referer: 'https://chatgpt.com/c/secret',
        }),
        'no line of a log\n',
        line(5, { path: '/probe' }).replace('GET /probe HTTP/1.1', ''),
      ].join(''),
    );
    await expect.poll(() => bench.service.visits()).toHaveLength(2);
    // Their time is over, so they are sent when the file is read.
    await expect.poll(() => bench.service.counted()['people_pages']).toBe(1);
    await running.stop();
    expect(bench.service.visits()).toEqual([
      expect.objectContaining({
        timestamp: Date.UTC(2026, 10, 22, 0, 0, 1),
        host: 'a.example',
        pathname: '/bot?email=a@b.example',
        user_agent: 'GPTBot/1.3',
        ip: '203.0.113.9',
        status: 200,
        bytes: 612,
        request_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      }),
      {
        timestamp: Date.UTC(2026, 10, 22, 0, 0, 4),
        host: 'a.example',
        method: 'GET',
        pathname: '/came?utm_source=chatgpt.com',
        user_agent: PERSON,
        referer: 'https://chatgpt.com/',
        status: 200,
        bytes: 612,
        request_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      },
    ]);
    expect(bench.service.counted()).toEqual({ people_pages: 1, people_files: 1, bot_pages: 1, bot_files: 0 });
    expect(JSON.stringify(bench.service.posts)).not.toContain('secret');
    expect(bench.service.posts[0]).toMatchObject({ path: '/v1/logs/tail', key: 'gl_test_key' });
  });

  it('is nothing on a dry run, which prints it', async () => {
    writeFileSync(log(), lines(0, 3) + line(4, { agent: PERSON }));
    const running = bench.tail('access.log', '--dry-run');
    expect(await running.ended).toBe(0);
    expect(
      running
        .out()
        .trim()
        .split('\n')
        .map((text) => JSON.parse(text).pathname),
    ).toEqual(expected(0, 3));
    expect(running.told()).toContain('4 lines read: 3 AI visits, 1 other request');
    expect(bench.service.posts).toEqual([]);
  });

  it('names the client behind proxies that are trusted', async () => {
    const behind = line(1, { ip: '10.0.0.1' }).replace('\n', ' "6.6.6.6, 198.51.100.7"\n');
    writeFileSync(log(), behind);
    const running = bench.tail('access.log', '--once', '--trusted-proxy', '10.0.0.0/8', '--format', 'nginx');
    expect(await running.ended).toBe(0);
    expect(bench.service.visits()).toEqual([expect.objectContaining({ ip: '198.51.100.7' })]);
  });
});

describe('a growing file', () => {
  it('is followed from its end at first, and from where it was later', async () => {
    writeFileSync(log(), lines(0, 5));
    const first = bench.tail('access.log');
    // It keeps where the end was.
    await expect.poll(() => bench.kept()).toContain(`"inode":${statSync(log()).ino}`);
    expect(first.told()).toBe('');
    appendFileSync(log(), lines(5, 3));
    await settledPaths(expected(5, 3));
    expect(await first.stop()).toBe(0);
    appendFileSync(log(), lines(8, 3));
    bench.tail('access.log');
    await settledPaths(expected(5, 6));
  });

  it('is read once, however its lines arrive', async () => {
    writeFileSync(log(), '');
    bench.tail('access.log', '--from', 'start');
    const text = lines(0, 40);
    for (let at = 0; at < text.length; at += 777) {
      appendFileSync(log(), text.slice(at, at + 777));
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
    await settledPaths(expected(0, 40));
    expect(new Set(bench.service.visits().map(({ request_id }) => request_id)).size).toBe(40);
  });

  it('may come later, and others beside it', async () => {
    const running = bench.tail('*.log', '--from', 'start', '--format', 'nginx');
    await new Promise((resolve) => setTimeout(resolve, 30));
    writeFileSync(bench.path('one.log'), lines(0, 2));
    await settledPaths(expected(0, 2));
    writeFileSync(bench.path('two.log'), lines(2, 2));
    await settledPaths(expected(0, 4));
    await running.stop();
  });
});

describe('a rotated file', () => {
  it('is read to its end when it was renamed, and the new one from its beginning', async () => {
    writeFileSync(log(), lines(0, 3));
    bench.tail('access.log', '--from', 'start');
    await settledPaths(expected(0, 3));
    renameSync(log(), bench.path('access.log.1'));
    // The server has not opened the new one yet.
    appendFileSync(bench.path('access.log.1'), lines(3, 3));
    writeFileSync(log(), lines(6, 3));
    await settledPaths(expected(0, 9));
  });

  it('is gone on with when it was copied and cut, with what the copy has more', async () => {
    writeFileSync(log(), lines(0, 20));
    const running = bench.tail('access.log', '--from', 'start');
    await settledPaths(expected(0, 20));
    appendFileSync(log(), lines(20, 2));
    copyFileSync(log(), bench.path('access.log.1'));
    truncateSync(log());
    appendFileSync(log(), lines(22, 2));
    await settledPaths(expected(0, 24));
    await running.stop();
  });

  it.each([
    ['', (text: string) => Buffer.from(text)],
    ['.gz', (text: string) => gzipSync(text)],
    ['.zst', (text: string) => zstdCompressSync(text)],
  ])('is found after the command was stopped, as access.log.1%s', async (ending, packed) => {
    writeFileSync(log(), lines(0, 20));
    const first = bench.tail('access.log', '--from', 'start');
    await settledPaths(expected(0, 20));
    await first.stop();
    writeFileSync(bench.path(`access.log.2${ending}`), packed(lines(0, 25)));
    writeFileSync(bench.path(`access.log.1${ending}`), packed(lines(25, 5)));
    for (const age of [1, 2]) utimesSync(bench.path(`access.log.${age}${ending}`), 1e9 - age, 1e9 - age);
    rmSync(log());
    writeFileSync(log(), lines(30, 5));
    const second = bench.tail('access.log');
    await settledPaths(expected(0, 35));
    await second.stop();
  });

  it('that a pattern means too is not read again', async () => {
    writeFileSync(log(), lines(0, 30));
    const first = bench.tail('access.log*', '--from', 'start');
    await settledPaths(expected(0, 30));
    renameSync(log(), bench.path('access.log.1'));
    writeFileSync(log(), lines(30, 3));
    await settledPaths(expected(0, 33));
    await first.stop();
    writeFileSync(bench.path('access.log.1.gz'), gzipSync(readFileSync(bench.path('access.log.1'))));
    rmSync(bench.path('access.log.1'));
    const before = bench.service.visits().length;
    const second = bench.tail('access.log*');
    await new Promise((resolve) => setTimeout(resolve, 100));
    appendFileSync(log(), lines(33, 1));
    await settledPaths(expected(0, 34));
    await second.stop();
    expect(bench.service.visits().length - before).toBe(1);
  });

  it('that is nowhere is reported, and the new one is read', async () => {
    writeFileSync(log(), lines(0, 20));
    const first = bench.tail('access.log', '--from', 'start');
    await settledPaths(expected(0, 20));
    await first.stop();
    writeFileSync(log(), lines(40, 20));
    const second = bench.tail('access.log');
    await settledPaths([...expected(0, 20), ...expected(40, 20)]);
    expect(second.told()).toContain('is another file now');
  });
});

describe('a service', () => {
  it('that is down is waited for, and asked again no sooner than it says', async () => {
    writeFileSync(log(), lines(0, 3));
    const at: number[] = [];
    bench.service.answer = () => {
      at.push(Date.now());
      return at.length < 3 ? { status: 503, headers: { 'Retry-After': '20' } } : undefined;
    };
    const running = bench.tail('access.log', '--from', 'start');
    await settledPaths(expected(0, 3));
    // 20 s of a clock that runs a hundred times faster; timers may be early by a millisecond.
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(198);
    expect(running.told()).toContain('The service is busy or out of order (503).');
    await expect.poll(() => running.told()).toContain('The service takes visits again.');
  });

  it('that refuses the key gets the next one from the file, and nothing is lost', async () => {
    const key = bench.path('key');
    writeFileSync(key, 'gl_wrong_key\n');
    writeFileSync(log(), lines(0, 3));
    bench.service.answer = (post) => (post.key === 'gl_right_key' ? undefined : { status: 401 });
    const running = bench.tail('access.log', '--from', 'start', '--key-file', key);
    await expect
      .poll(() => running.told())
      .toContain(`The service refuses the key (401). Put a valid ingest key into ${key}.`);
    expect(running.told()).toContain('Nothing is lost');
    writeFileSync(key, 'gl_right_key\n');
    await settledPaths(expected(0, 3));
  });

  it.each([
    [404, 'No service takes logs at this address (404)'],
    [403, 'may not be used for this (403)'],
    [400, 'refuses the batch (400). It says: because'],
    [301, 'answers with a redirect (301)'],
  ])('that answers %i says what to do, and ends a run that has an end', async (status, sentence) => {
    writeFileSync(log(), lines(0, 3));
    bench.service.answer = () => ({ status, body: JSON.stringify({ detail: 'because' }) });
    const running = bench.tail('access.log', '--once');
    expect(await running.ended).toBe(1);
    expect(running.told()).toContain(sentence);
    // What was not taken is sent by the next run.
    bench.service.answer = () => undefined;
    expect(await bench.tail('access.log', '--once').ended).toBe(0);
    await settledPaths(expected(0, 3));
  });

  it.each([
    ['a page', 200, '<!doctype html><title>Welcome</title>'],
    ['nothing', 204, ''],
    ['JSON of something else', 201, '{"ok":true}'],
    ['a JSON value', 200, 'null'],
  ])('that answers %s instead of its report (%i) is none, and nothing is lost', async (_, status, body) => {
    writeFileSync(log(), lines(0, 3));
    bench.service.answer = () => ({ status, body });
    const running = bench.tail('access.log', '--once');
    expect(await running.ended).toBe(1);
    expect(running.told()).toContain(
      `No service takes logs at this address (${status}, but no report). Check --to`,
    );
    bench.service.answer = () => undefined;
    expect(await bench.tail('access.log', '--once').ended).toBe(0);
    await settledPaths(expected(0, 3));
  });

  it('that takes no body as large gets halves', async () => {
    writeFileSync(log(), lines(0, 9));
    bench.service.answer = ({ body }) => (body.split('\n').length > 3 ? { status: 413 } : undefined);
    expect(await bench.tail('access.log', '--once').ended).toBe(0);
    await settledPaths(expected(0, 9));
  });

  it('gets the same body again after an end in the middle', async () => {
    writeFileSync(log(), lines(0, 5) + line(5, { agent: PERSON }));
    bench.service.answer = () => ({ status: 503 });
    const first = bench.tail('access.log', '--from', 'start');
    await expect.poll(() => bench.service.posts.length).toBeGreaterThan(0);
    expect(await first.stop()).toBe(0);
    const [unanswered] = bench.service.posts;
    appendFileSync(log(), lines(6, 3));
    bench.service.answer = () => undefined;
    bench.tail('access.log');
    await settledPaths([...expected(0, 5), ...expected(6, 3)]);
    expect([...bench.service.taken][0]).toBe(unanswered?.body);
    expect(bench.service.counted()).toMatchObject({ people_pages: 1 });
  });

  it('that rejects visits is quoted at the end, and the exit code says so', async () => {
    writeFileSync(log(), lines(0, 3));
    const report = { kept: 1, dropped: 0, duplicate: 1, rejected: 1, errors: [{ reason: 'too_old' }] };
    const nothing = { kept: 0, dropped: 1, duplicate: 0, rejected: 0, errors: [] };
    bench.service.answer = ({ body }) => ({
      status: 200,
      body: JSON.stringify(body.includes('GPTBot') ? report : nothing),
    });
    const running = bench.tail('access.log', '--once');
    expect(await running.ended).toBe(3);
    expect(running.told()).toContain('The service kept 1, had 1 already, dropped 0 and rejected 1.');
    expect(running.told()).toContain('rejected 1: too_old');
  });
});

describe('standard input', () => {
  it('is read as a piped log of Apache', async () => {
    const running = bench.run('--to', bench.service.address, '--host', 'a.example', '--format', 'apache');
    running.stdin.write(lines(0, 2));
    await settledPaths(expected(0, 2));
    running.stdin.end(lines(2, 2).trimEnd());
    expect(await running.ended).toBe(0);
    await settledPaths(expected(0, 4));
    expect(running.told()).toContain('4 lines read: 4 AI visits');
  });

  it('goes on while the service is down, and the oldest visits are left out', async () => {
    bench.service.answer = () => ({ status: 503 });
    const running = bench.run('--to', bench.service.address, '--host', 'a.example', '--format', 'apache');
    running.stdin.write(lines(0, 10));
    await expect.poll(() => bench.service.posts.length).toBeGreaterThan(0);
    running.stdin.write(lines(10, 20_500));
    await expect.poll(() => running.told()).toContain('the oldest visits are left out');
    bench.service.answer = () => undefined;
    running.stdin.end();
    expect(await running.ended).toBe(0);
    expect(paths()).toHaveLength(20_010);
    expect(running.told()).toMatch(/500 visits left out/);
  });
});

describe('the position', () => {
  it('is kept by one process at a time', async () => {
    writeFileSync(log(), lines(0, 1));
    bench.tail('access.log', '--state', bench.path('position'));
    await expect.poll(() => readFileSync(bench.path('position.lock'), 'utf8')).toBe(`${process.pid}\n`);
    writeFileSync(bench.path('position.lock'), '1\n');
    const second = bench.tail('access.log', '--state', bench.path('position'));
    expect(await second.ended).toBe(1);
    expect(second.told()).toContain('Process 1 follows the same files already');
  });

  it('of a process that was killed is taken over', async () => {
    writeFileSync(log(), lines(0, 1));
    writeFileSync(bench.path('position.lock'), '999999999\n');
    const running = bench.tail('access.log', '--once', '--state', bench.path('position'));
    expect(await running.ended).toBe(0);
  });

  it('that is damaged is refused with what to do', async () => {
    writeFileSync(log(), lines(0, 1));
    writeFileSync(bench.path('position'), '{');
    const running = bench.tail('access.log', '--once', '--state', bench.path('position'));
    expect(await running.ended).toBe(1);
    expect(running.told()).toContain('Remove it to start over.');
  });
});

describe('the words', () => {
  it.each([
    [['tail', 'x.log'], 'No service. State its address'],
    [['tail', 'x.log', '--to', 'ghostlight.example'], '--to is an address such as'],
    [['tail', 'x.log', '--to', 'https://key@ghostlight.example'], '--to is the address alone'],
    [['tail', 'x.log', '--to', 'https://g.example', '--format', 'elf'], '--format is auto or one of'],
    [
      ['tail', 'x.log', '--to', 'https://g.example', '--time-zone', 'Europe/Atlantis'],
      '--time-zone is a name such as',
    ],
    [['tail', 'x.log', '--to', 'https://g.example', '--trusted-proxy', 'all'], '--trusted-proxy is how many'],
    [['tail', 'x.log', '--to', 'https://g.example', '--map', 'page=x'], '--map is field=name'],
    [['tail', 'x.log', '--to', 'https://g.example', '--property', '7'], '--property is an attribution ID'],
    [['tail', 'x.log', '--to', 'https://g.example', '--from', 'middle'], '--from is start or end'],
    [['tail', 'x.log', '-', '--to', 'https://g.example'], 'Name files, or "-"'],
    [['tail', '--nonsense'], "Unknown option '--nonsense'"],
    [['import', '--to', 'https://g.example'], 'Name the files to import.'],
  ])('%j are refused in one sentence', async (argv, sentence) => {
    const running = bench.run(...argv);
    expect(await running.ended).toBe(2);
    expect(running.told()).toContain(sentence);
  });

  it('need a key', async () => {
    bench.env = {};
    const running = bench.run('tail', 'x.log', '--to', 'https://g.example');
    expect(await running.ended).toBe(2);
    expect(running.told()).toContain('No key. Put an ingest key into GHOSTLIGHT_KEY');
  });

  it('are explained', async () => {
    expect(await bench.run('--help').ended).toBe(0);
    const running = bench.run('import', '--help');
    expect(await running.ended).toBe(0);
    expect(running.out()).toContain('--yes');
  });
});
