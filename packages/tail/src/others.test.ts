import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type OpenCounts, Others } from './others.ts';

const MINUTE = 60_000;
const T = Date.UTC(2026, 9, 1, 12);
const PERSON = { isBot: false, isFile: false };

const line = (text: string): Buffer => Buffer.from(text);
/** A line's bytes say when it was written, as logs do. */
const add = (others: Others, minute: number, host = 'a.example', text = ''): void =>
  others.add('file', line(`${minute} ${host} ${text}`), T + minute * MINUTE, host, PERSON);
const said = (others: Others) =>
  others.take().map(({ hour, host, people_pages }) => [(hour - T) / MINUTE, host, people_pages]);

describe('numbers of other requests', () => {
  it('are of quarters of an hour, and sent ten minutes after their end', () => {
    const others = new Others('');
    for (const minute of [1, 2, 14]) add(others, minute);
    add(others, 15);
    expect(others.size).toBe(0);
    add(others, 24.9);
    expect(others.size).toBe(0);
    add(others, 25);
    expect(said(others)).toEqual([[0, 'a.example', 3]]);
    others.pass(T + 39 * MINUTE);
    expect(others.size).toBe(0);
    others.pass(T + 40 * MINUTE);
    expect(said(others)).toEqual([[15, 'a.example', 3]]);
  });

  it('have the kinds apart, and say that there was nothing else beside a visit', () => {
    const others = new Others('');
    others.add('file', line('visit'), T, 'a.example', null);
    others.add('file', line('one'), T, 'b.example', { isBot: true, isFile: false });
    others.add('file', line('two'), T, 'b.example', { isBot: true, isFile: true });
    others.add('file', line('three'), T, 'b.example', { isBot: false, isFile: true });
    others.end();
    const nothing = { people_pages: 0, people_files: 0, bot_pages: 0, bot_files: 0 };
    expect(others.take()).toMatchObject([
      { hour: T, minutes: 15, host: 'a.example', ...nothing },
      { host: 'b.example', ...nothing, people_files: 1, bot_pages: 1, bot_files: 1 },
    ]);
  });

  it('name a bounded number of crawlers among the programs', () => {
    const others = new Others('');
    const add = (program: string, isFile: boolean) =>
      others.add('file', line(program), T, 'a.example', { isBot: true, isFile, program });
    for (const isFile of [false, false, true]) add('AcmeBot', isFile);
    add('', false);
    for (let n = 0; n < 60; n += 1) add(`Number${n}Bot`, false);
    others.end();
    const [{ bot_pages, bot_files, programs = {} } = {}] = others.take();
    expect([bot_pages, bot_files]).toEqual([63, 1]);
    expect(programs['AcmeBot']).toEqual([2, 1]);
    expect(Object.keys(programs)).toHaveLength(50);
  });

  it('of a late line are its own', () => {
    const others = new Others('');
    add(others, 0);
    add(others, 60);
    add(others, 1);
    add(others, 1, 'a.example', 'another');
    add(others, 61);
    others.end();
    const numbers = others.take();
    expect(numbers.map(({ hour }) => (hour - T) / MINUTE)).toEqual([0, 0, 0, 60]);
    expect(new Set(numbers.map(({ id }) => id)).size).toBe(4);
  });

  it('of more hosts than fifty are of none', () => {
    const others = new Others('');
    for (let host = 0; host < 60; host += 1) add(others, 0, `h${host}.example`);
    others.end();
    const numbers = others.take();
    expect(numbers).toHaveLength(51);
    expect(numbers.find(({ host }) => host === '')).toMatchObject({ people_pages: 10 });
  });

  const logs = fc.array(
    fc.record({
      minute: fc.oneof(fc.integer({ min: 0, max: 90 }), fc.integer({ min: -2_000, max: 2_000 })),
      host: fc.constantFrom('a.example', 'b.example'),
    }),
    { maxLength: 60 },
  );

  it('are the same wherever reading is interrupted, and add up to all lines', () => {
    fc.assert(
      fc.property(logs, fc.nat(60), (log, cut) => {
        const lines = log.map((one, index) => ({ ...one, text: String(index) }));
        const whole = new Others('');
        for (const { minute, host, text } of lines) add(whole, minute, host, text);
        whole.end();
        const first = new Others('');
        for (const { minute, host, text } of lines.slice(0, cut)) add(first, minute, host, text);
        const onDisk = JSON.parse(JSON.stringify(first.open())) as OpenCounts;
        const second = new Others('', onDisk);
        for (const { minute, host, text } of lines.slice(cut)) add(second, minute, host, text);
        second.end();
        const all = whole.take();
        expect(all.reduce((sum, { people_pages: pages }) => sum + pages, 0)).toBe(lines.length);
        const again = [...first.take(), ...second.take()];
        expect(again.reduce((sum, { people_pages: pages }) => sum + pages, 0)).toBe(lines.length);
        expect(again).toEqual(all);
      }),
    );
  });
});
