import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { canonicalTimeZone, daysIn, daysOf, hourOf, momentIn, momentInSentence } from './time-zone.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY;
const hours = (zone: string, date: string): number =>
  (daysIn(zone).startOf(dayOf(date) + 1) - daysIn(zone).startOf(dayOf(date))) / HOUR;

const ZONES = Intl.supportedValuesOf('timeZone').map((name) => canonicalTimeZone(name) ?? name);
/** Far more than raw hits and daily rows are kept, and what is known of the years to come. */
const YEARS = { min: dayOf('2015-01-01'), max: dayOf('2029-12-31') };

test.each<[string, string | null]>([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['europe/BERLIN', 'Europe/Berlin'],
  ['UTC', 'UTC'],
  ['utc', 'UTC'],
  ['Etc/UTC', 'UTC'],
  ['GMT', 'UTC'],
  ['US/Eastern', 'America/New_York'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Asia/Kolkata', 'Asia/Kolkata'],
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['Etc/GMT+5', 'Etc/GMT+5'],
  ['', null],
  ['CET', null],
  ['EST5EDT', null],
  ['+02:00', null],
  ['Europe/Nowhere', null],
  ['Berlin', null],
  [`Europe/${'x'.repeat(200)}`, null],
  ["Europe/Berlin'; DROP TABLE hits", null],
])('the time zone "%s" is kept as %s', (name, kept) => {
  expect(canonicalTimeZone(name)).toBe(kept);
});

test('a zone that was folded stays as it is, and keeps the rules of the name that was given', () => {
  for (const name of Intl.supportedValuesOf('timeZone')) {
    const kept = canonicalTimeZone(name) ?? '';
    expect(canonicalTimeZone(kept)).toBe(kept);
    for (const at of [Date.UTC(2024, 0, 1), Date.UTC(2024, 6, 1)])
      expect(daysIn(kept).dayAt(at)).toBe(daysIn(name).dayAt(at));
  }
});

describe('a day', () => {
  it.each([
    ['Europe/Berlin', '2026-03-29', 23],
    ['Europe/Berlin', '2026-10-25', 25],
    ['Europe/Berlin', '2026-10-26', 24],
    ['Australia/Lord_Howe', '2026-04-05', 24.5],
    ['Australia/Lord_Howe', '2026-10-04', 23.5],
    // Midnight itself does not exist.
    ['America/Sao_Paulo', '2018-11-04', 23],
    ['Africa/Cairo', '2026-04-24', 23],
    ['Asia/Beirut', '2026-03-29', 23],
    ['Asia/Kolkata', '2026-03-29', 24],
    // Samoa went over the date line.
    ['Pacific/Apia', '2011-12-30', 0],
  ])('in %s on %s has %s hours', (zone, date, expected) => {
    expect(hours(zone, date)).toBe(expected);
  });

  it('begins at its first moment: at half past, or at one o’clock where there is no midnight', () => {
    const start = (zone: string, date: string) => new Date(daysIn(zone).startOf(dayOf(date))).toISOString();
    expect(start('Asia/Kolkata', '2026-11-21')).toBe('2026-11-20T18:30:00.000Z');
    expect(start('America/Sao_Paulo', '2018-11-04')).toBe('2018-11-04T03:00:00.000Z');
    expect(start('UTC', '2026-11-21')).toBe('2026-11-21T00:00:00.000Z');
  });

  it('begins in every zone when the runtime’s calendar says so', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), fc.integer(YEARS), (zone, day) => {
        const { year, month, day: date } = fields(day);
        const judge = new Temporal.PlainDate(year, month, date).toZonedDateTime(zone);
        expect(daysIn(zone).startOf(day)).toBe(judge.epochMilliseconds);
      }),
      { numRuns: 3_000 },
    );
  });

  it('holds its moments: each moment lies in one day, and that is the day that a calendar shows', () => {
    const moment = fc.integer({ min: YEARS.min * DAY, max: YEARS.max * DAY });
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), moment, (zone, at) => {
        const days = daysIn(zone);
        const day = days.dayAt(at);
        expect(days.startOf(day)).toBeLessThanOrEqual(at);
        expect(days.startOf(day + 1)).toBeGreaterThan(at);
        const shown = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
        expect(day).toBe(dayOf(shown.toPlainDate().toString()));
      }),
      { numRuns: 3_000 },
    );
  });

  it('begins right in the weeks of every change of clocks of the last and the next years, in every zone', () => {
    for (const zone of ZONES) {
      let at = Temporal.Instant.from('2022-01-01T00:00Z').toZonedDateTimeISO(zone);
      const end = Temporal.Instant.from('2028-01-01T00:00Z').epochMilliseconds;
      for (;;) {
        const change = at.getTimeZoneTransition('next');
        if (change === null || change.epochMilliseconds > end) break;
        for (let near = -1; near <= 2; near += 1) {
          const day = change.toPlainDate().add({ days: near });
          expect([zone, String(day), daysIn(zone).startOf(dayOf(String(day)))]).toEqual([
            ...[zone, String(day), day.toZonedDateTime(zone).epochMilliseconds],
          ]);
        }
        at = change;
      }
    }
  });
});

test('an hour of a day is when the runtime’s calendar says so, also on days of a change of clocks', () => {
  for (const zone of [
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'Africa/Cairo',
    'Pacific/Chatham',
    'UTC',
  ])
    for (let day = dayOf('2026-01-01'); day < dayOf('2027-01-01'); day += 1)
      for (const hour of [0, 2, 8, 23]) {
        const { year, month, day: date } = fields(day);
        const shown = new Temporal.PlainDateTime(year, month, date, hour);
        const judge = shown.toZonedDateTime(zone, { disambiguation: 'earlier' });
        const isLeftOut = !judge.toPlainDateTime().equals(shown);
        const expected = isLeftOut
          ? (judge.getTimeZoneTransition('next')?.epochMilliseconds ?? 0)
          : judge.epochMilliseconds;
        expect([zone, day, hour, hourOf(zone, day, hour)]).toEqual([zone, day, hour, expected]);
      }
});

test('where a zone was changed, each moment is still of one day, also across the date line', () => {
  const zone = fc.constantFrom('UTC', 'Pacific/Kiritimati', 'Etc/GMT+12', 'America/New_York', 'Asia/Kolkata');
  fc.assert(
    fc.property(
      zone,
      zone,
      fc.integer(YEARS),
      fc.integer({ min: -60, max: 60 }),
      (old, timeZone, day, hour) => {
        const days = daysOf({ timeZone, zoneSince: { day, at: daysIn(old).startOf(day) } });
        const at = day * DAY + hour * HOUR;
        const found = days.dayAt(at);
        expect([days.startOf(found) <= at, days.startOf(found + 1) > at]).toEqual([true, true]);
        for (let near = day - 3; near < day + 3; near += 1)
          expect(days.startOf(near)).toBeLessThanOrEqual(days.startOf(near + 1));
        expect(days.startOf(day)).toBe(daysIn(old).startOf(day));
      },
    ),
  );
});

test('a time is displayed as a clock in the zone shows it, with the zone', () => {
  const at = Date.UTC(2026, 2, 29, 22, 5, 59);
  expect(momentIn('UTC', at)).toBe('29 Mar 2026, 22:05 UTC');
  expect(momentIn('Europe/Berlin', at)).toBe('30 Mar 2026, 00:05 Europe/Berlin');
  expect(momentIn('Asia/Kolkata', at)).toBe('30 Mar 2026, 03:35 Asia/Kolkata');
  expect(momentInSentence('UTC', at)).toBe('29 Mar 2026 at 22:05 UTC');
  expect(momentInSentence('Europe/Berlin', at)).toBe('30 Mar 2026 at 00:05 Europe/Berlin');
});

const fields = (day: number) => {
  const date = new Date(day * DAY);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
};
