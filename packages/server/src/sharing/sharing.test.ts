import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_ORGANIZATION_ID, type PersonCaller, type RootCaller } from '../common/index.ts';
import type { Database } from '../database/index.ts';
import { openTestDatabases, type TestDatabase } from '../database/testing.ts';
import type { Mail } from '../outbound/index.ts';
import { createProperties, type Property } from '../properties/index.ts';
import { hashPassword } from './access.ts';
import { createSharing, type Sharing } from './index.ts';
import { composeMail } from './mails/compose.ts';
import { nextAt } from './mails/schedule.ts';
import { badge } from './picture.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());

const START = Date.UTC(2026, 10, 22, 12);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ROOT: RootCaller = { kind: 'root', scope: { kind: 'all' }, role: 'owner', actor: 'root' };
const quiet = { info() {}, warn() {}, error() {}, debug() {}, child: () => quiet } as never;

const OVERVIEW = {
  period: { from: '2026-11-09', to: '2026-11-15', previous: { from: '2026-11-02', to: '2026-11-08' } },
  not_compared: null as string | null,
  over_quota_days: [] as string[],
  population: 'verified_unknown',
  ai_bots: { hits: 1_234, estimated: 32, spoofed: 99, estimates: {}, change: 0.5 },
  by_intent: [{ intent: 'on_demand', hits: 34, estimated: 0, change: null }],
  referrals: { visits: 56, estimated: 0, change: -0.25 },
  failures: { failures: 7 },
  top_bots: [{ bot: 'GPTBot', vendor: 'OpenAI', hits: 900, estimated: 0 }],
  top_pages: [{ host: 'shop.example', path: '/<script>alert(1)</script>', hits: 400, estimated: 3 }],
  new_bots: [{ bot: 'NewBot' }],
};

describe.each(databases.backends)('sharing on $name', (backend) => {
  let now = START;
  let home: TestDatabase;
  let database: Database;
  let property: Property;
  let sharing: Sharing;
  let reports: number;
  let mails: Mail[];
  let failing: boolean;
  let whileSending: () => Promise<void>;
  beforeEach(async () => {
    now = START;
    [reports, mails, failing] = [0, [], false];
    whileSending = async () => {};
    home = await backend.fresh({ clock: () => now });
    database = await home.node();
    const properties = createProperties(database, { clock: () => now, onDelete: async () => {} });
    property = await properties.create(ROOT.scope, ROOT.actor, {
      ...{ name: 'Shop', domain: 'shop.example', timeZone: 'Europe/Berlin' },
    });
    sharing = createSharing({
      ...{ database, properties, clock: () => now, log: quiet, secret: 'a secret of the installation' },
      async readReport(name) {
        reports += 1;
        return name === 'overview'
          ? OVERVIEW
          : {
              population: 'verified_unknown',
              over_quota_days: ['2026-11-21'],
              totals: { hits: 1_234 },
              series: [{ day: '2026-11-21', hits: 1_234 }],
            };
      },
      onBehalfOf: (_, run) => run(),
      mailer: {
        async send(mail) {
          if (failing) throw new Error('down');
          await whileSending();
          mails.push(mail);
        },
      },
      appBaseUrl: () => 'https://ghostlight.example',
    });
  });
  afterEach(async () => {
    await sharing.close();
    await home.remove();
  });

  const issue = async (options: { password?: string; expiresAt?: number } = {}) =>
    await sharing.links.issue(ROOT, property, {
      name: 'For the boss',
      passwordHash: options.password === undefined ? null : await hashPassword(options.password),
      expiresAt: options.expiresAt ?? null,
    });
  const reading = async (access: string) =>
    await sharing.access.callerOf(
      new Request('https://ghostlight.example/', { headers: { Authorization: `Bearer ${access}` } }),
      '198.51.100.7',
    );
  const open = (token: string, password?: string, ip = '198.51.100.7') =>
    sharing.access.open(token, { password }, ip);
  const code = (error: { code?: string }) => error.code;

  describe('a link', () => {
    it('opens the reports of one property, and stands nowhere in the database', async () => {
      const { token, row } = await issue();
      const { access } = await open(token);
      expect(await reading(access)).toMatchObject({
        kind: 'share',
        role: 'viewer',
        propertyId: property.id,
        scope: { kind: 'organization', id: DEFAULT_ORGANIZATION_ID },
        actor: `share:${row.id}`,
      });
      const rows = JSON.stringify(await database.reader.selectFrom('share_links').selectAll().execute());
      expect(rows).not.toContain(token);
      expect(rows).not.toContain(access);
    });

    it('that is revoked, has ended, or whose property was deleted opens nothing more, not even where it was open', async () => {
      const [revoked, ended, kept] = [await issue(), await issue({ expiresAt: START + HOUR }), await issue()];
      const open3 = await Promise.all(
        [revoked, ended, kept].map(async ({ token }) => (await open(token)).access),
      );
      await sharing.links.revoke(ROOT, property, revoked.row.id);
      now += 2 * HOUR;
      for (const [index, { token }] of [revoked, ended].entries()) {
        await expect(open(token)).rejects.toSatisfy((error) => code(error as never) === 'not_found');
        await expect(reading(open3[index] ?? '')).rejects.toSatisfy(
          (error) => code(error as never) === 'unauthorized',
        );
      }
      expect(await reading(open3[2] ?? '')).toBeDefined();
      await database.kysely.updateTable('properties').set({ deleted_at: now }).execute();
      now += 10_000;
      await expect(open(kept.token)).rejects.toSatisfy((error) => code(error as never) === 'not_found');
      await expect(reading(open3[2] ?? '')).rejects.toSatisfy(
        (error) => code(error as never) === 'unauthorized',
      );
    });

    it('is no other link: what was opened with one names no second one', async () => {
      const [one, other] = [await issue(), await issue()];
      const { access } = await open(one.token);
      await expect(reading(access.replace(one.row.id, other.row.id))).rejects.toSatisfy(
        (error) => code(error as never) === 'unauthorized',
      );
      const [head = '', ends = '', signature = ''] = access.split('.');
      await expect(reading(`${head}.${Number(ends) + 1}.${signature}`)).rejects.toSatisfy(
        (error) => code(error as never) === 'unauthorized',
      );
      // A token of another kind is none of ours.
      expect(await reading('ght_other')).toBeUndefined();
    });

    it('with a password opens with it alone; wrong ones slow their own address and no other', async () => {
      const { token } = await issue({ password: 'correct horse' });
      await expect(open(token)).rejects.toSatisfy((error) => code(error as never) === 'unauthorized');
      const { access } = await open(token, 'correct horse');
      // Not asked again where it was open.
      expect((await sharing.access.open(token, { access }, '198.51.100.8')).access).toMatch(/^sha_/);
      await expect(sharing.access.open(token, { access: `${access}x` }, '198.51.100.8')).rejects.toSatisfy(
        (error) => code(error as never) === 'unauthorized',
      );
      const outcomes: (string | undefined)[] = [];
      for (let guess = 0; guess < 12; guess += 1)
        await open(token, `guess ${guess}`, '203.0.113.9').catch((error: { code?: string }) =>
          outcomes.push(error.code),
        );
      expect(outcomes.filter((word) => word === 'unauthorized')).toHaveLength(10);
      expect(outcomes.slice(10)).toEqual(['rate_limited', 'rate_limited']);
      expect((await open(token, 'correct horse')).access).toMatch(/^sha_/);
      expect(await reading(access)).toBeDefined();
      now += 60_000;
      expect((await open(token, 'correct horse', '203.0.113.9')).access).toMatch(/^sha_/);
    });

    it('that is guessed slows the guesser, and no good link of the same address', async () => {
      const { token } = await issue();
      const codes = new Set<string | undefined>();
      for (let guess = 0; guess < 70; guess += 1)
        await open(`shr_${String(guess).padStart(43, '0')}`).catch((error: { code?: string }) =>
          codes.add(error.code),
        );
      expect(codes).toEqual(new Set(['not_found', 'rate_limited']));
      expect((await open(token)).link.name).toBe('For the boss');
    });

    it('is read so often and no more, by one address and by all', async () => {
      const { token } = await issue();
      const { access } = await open(token);
      let read = 0;
      for (let request = 0; request < 450; request += 1)
        await reading(access).then(
          () => (read += 1),
          () => undefined,
        );
      expect(read).toBe(399);
      now += 10_000;
      expect(await reading(access)).toBeDefined();
    });

    it('has a picture, made once in ten minutes however many ask', async () => {
      const { token } = await issue();
      const link = await sharing.access.openPicture(token, '198.51.100.7');
      const request = { period: 'last_30_days', theme: 'dark' } as const;
      const pictures = await Promise.all([1, 2, 3].map(() => sharing.picture(link, request)));
      expect(new Set(pictures).size).toBe(1);
      expect(reports).toBe(1);
      now += 11 * 60_000;
      await sharing.picture(link, request);
      expect(reports).toBe(2);
      const secret = await issue({ password: 'correct horse' });
      await expect(sharing.access.openPicture(secret.token, '198.51.100.7')).rejects.toSatisfy(
        (error) => code(error as never) === 'not_found',
      );
    });
  });

  describe('a mail', () => {
    const person = async (limited = 0): Promise<PersonCaller> => {
      const id = randomUUID();
      await database.kysely
        .insertInto('people')
        .values({
          ...{ id, name: 'Ada', email: `${id}@shop.example`, image: null },
          ...{ email_verified: 1, created_at: now, updated_at: now },
        } as never)
        .execute()
        .catch(async () => {
          // The library's columns have the database's own forms of times and flags.
          const at = new Date(now);
          await database.kysely
            .insertInto('people')
            .values({
              ...{ id, name: 'Ada', email: `${id}@shop.example`, image: null },
              ...{ email_verified: true, created_at: at, updated_at: at },
            } as never)
            .execute();
        });
      await database.kysely
        .insertInto('members')
        .values({
          ...{ organization_id: DEFAULT_ORGANIZATION_ID, person_id: id, role: 'viewer', created_at: now },
          limited,
        } as never)
        .execute();
      return {
        kind: 'person',
        scope: { kind: 'organization', id: DEFAULT_ORGANIZATION_ID },
        ...{ role: 'viewer', actor: `person:${id}`, personId: id, sessionId: 's' },
      };
    };
    const none = new AbortController().signal;

    it('says which days are too low, of its own period, and why it compares with nothing', async () => {
      const ada = await person();
      const { next_at: due } = await sharing.mails.set(ada, property, { every: 'week', day: 1, hour: 8 });
      now = due;
      const days = ['2026-11-03', '2026-11-10', '2026-11-12'];
      Object.assign(OVERVIEW, { not_compared: 'over_quota', over_quota_days: days });
      try {
        await sharing.mails.sendDue(none);
      } finally {
        Object.assign(OVERVIEW, { not_compared: null, over_quota_days: [] });
      }
      expect(mails[0]?.text).toContain(
        'so the number of visits is unknown. The quota was reached on 10 Nov, 12 Nov: visits dropped',
      );
    });

    it('is sent on its day and at its hour in the property’s zone, once, with an address that ends it', async () => {
      const ada = await person();
      const set = await sharing.mails.set(ada, property, { every: 'week', day: 1, hour: 8 });
      // Monday at eight in Berlin is seven in UTC.
      expect(new Date(set.next_at).toISOString()).toBe('2026-11-23T07:00:00.000Z');
      expect(await sharing.mails.sendDue(none)).toBe(0);
      now = set.next_at;
      expect(await sharing.mails.sendDue(none)).toBe(1);
      expect(await sharing.mails.sendDue(none)).toBe(0);
      const [mail] = mails;
      expect(mail?.subject).toMatch(/^AI traffic on shop\.example: week of 9.–.15 Nov 2026$/);
      expect(mail?.text).toContain('/overview?from=2026-11-09&to=2026-11-15');
      expect(mail?.text).toMatch(/\n\nCompared with 2.–.8 Nov 2026\.\n\n/);
      const address = /<(.+)>/.exec(mail?.headers?.['List-Unsubscribe'] ?? '')?.[1] ?? '';
      expect(mail?.headers?.['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click');
      const token = address.split('/').at(-1) ?? '';
      const forged = `${token.slice(0, -1)}${token.endsWith('x') ? 'y' : 'x'}`;
      await expect(sharing.mails.unsubscribe(forged)).rejects.toSatisfy(
        (error) => code(error as never) === 'not_found',
      );
      await sharing.mails.unsubscribe(token);
      await sharing.mails.unsubscribe(token);
      expect(await sharing.mails.of(ada, property)).toBeNull();
    });

    it('that the server does not take is tried again, and then waits for the next week', async () => {
      const ada = await person();
      const { next_at: due } = await sharing.mails.set(ada, property, { every: 'week', day: 1, hour: 8 });
      failing = true;
      now = due;
      for (let attempt = 0; attempt < 4; attempt += 1) {
        expect(await sharing.mails.sendDue(none)).toBe(0);
        now += 31 * 60_000;
      }
      const row = await sharing.mails.of(ada, property);
      expect(row).toMatchObject({ attempts: 0, last_error: 'internal', last_sent_at: null });
      expect(row?.next_at).toBe(due + 7 * DAY);
    });

    it('keeps a schedule that its person sets while it is sent', async () => {
      const ada = await person();
      const { next_at: due } = await sharing.mails.set(ada, property, { every: 'week', day: 1, hour: 8 });
      now = due;
      whileSending = async () =>
        void (await sharing.mails.set(ada, property, { every: 'week', day: 3, hour: 8 }));
      expect(await sharing.mails.sendDue(none)).toBe(1);
      const row = await sharing.mails.of(ada, property);
      expect(row).toMatchObject({ next_at: due + 2 * DAY, attempts: 0, last_sent_at: due });
    });

    it('that was sent counts as sent where that could not be written, and keeps no other from being sent', async () => {
      const [ada, bob] = [await person(), await person()];
      for (const one of [ada, bob])
        now = (await sharing.mails.set(one, property, { every: 'week', day: 1, hour: 8 })).next_at;
      const refuseSent =
        backend.name === 'sqlite'
          ? sql`CREATE TRIGGER refuse_sent BEFORE UPDATE ON report_mails WHEN NEW.last_sent_at IS NOT NULL BEGIN SELECT RAISE(ABORT, 'refused'); END`
          : sql`ALTER TABLE report_mails ADD CHECK (last_sent_at IS NULL)`;
      await refuseSent.execute(database.kysely);
      expect(await sharing.mails.sendDue(none)).toBe(2);
      expect(mails).toHaveLength(2);
    });

    it('is not sent to a person who may no longer see the property', async () => {
      const [limited, gone] = [await person(1), await person()];
      for (const one of [limited, gone]) {
        const { next_at } = await sharing.mails.set(one, property, { every: 'month', day: 28, hour: 0 });
        now = Math.max(now, START);
        expect(next_at).toBe(Date.UTC(2026, 10, 27, 23));
      }
      await database.kysely.deleteFrom('members').where('person_id', '=', gone.personId).execute();
      now = START + 10 * DAY;
      expect(await sharing.mails.sendDue(none)).toBe(0);
    });
  });
});

describe('the next mail', () => {
  it('is on a day that every month has, and never in the past', () => {
    for (let at = START; at < START + 400 * DAY; at += 5 * DAY + HOUR) {
      const week = nextAt({ every: 'week', day: 7, hour: 23 }, 'UTC', at);
      expect(new Date(week).getUTCDay()).toBe(0);
      expect(week - at).toBeLessThanOrEqual(7 * DAY);
      const month = nextAt({ every: 'month', day: 28, hour: 0 }, 'UTC', at);
      expect(new Date(month).getUTCDate()).toBe(28);
      expect(Math.min(week, month)).toBeGreaterThan(at);
    }
  });
});

describe('the next mail on a day of a change of clocks', () => {
  const next = (timeZone: string, now: string, hour: number) =>
    new Date(nextAt({ every: 'week', day: 7, hour }, timeZone, Date.parse(now))).toISOString();

  it('is at the hour that a clock shows, not so many hours after midnight', () => {
    // Summer time begins at 2 o'clock on 29 March 2026 and ends at 3 o'clock on 25 October, both Sundays.
    expect(next('Europe/Berlin', '2026-03-28T12:00:00Z', 8)).toBe('2026-03-29T06:00:00.000Z');
    expect(next('Europe/Berlin', '2026-10-24T12:00:00Z', 8)).toBe('2026-10-25T07:00:00.000Z');
    expect(next('America/New_York', '2026-11-01T00:00:00Z', 8)).toBe('2026-11-01T13:00:00.000Z');
    expect(next('Australia/Lord_Howe', '2026-04-04T12:00:00Z', 8)).toBe('2026-04-04T21:30:00.000Z');
  });

  it('is sent once: where the hour comes twice at the first, where it is left out when the clocks have jumped', () => {
    expect(next('Europe/Berlin', '2026-10-24T12:00:00Z', 2)).toBe('2026-10-25T00:00:00.000Z');
    expect(next('Europe/Berlin', '2026-10-25T00:00:00Z', 2)).toBe('2026-11-01T01:00:00.000Z');
    expect(next('Europe/Berlin', '2026-03-28T12:00:00Z', 2)).toBe('2026-03-29T01:00:00.000Z');
  });
});

describe('what leaves the installation', () => {
  it('is a picture without script, in which every text is a text', () => {
    const svg = badge({
      subject: '"><script>alert(1)</script>',
      title: 'AI bot visits & more',
      population: 'verified and unknown',
      ...{ overQuota: 0, total: 12_345, days: [{ day: '2026-11-21', hits: 3 }], theme: 'light' },
    });
    expect(svg).not.toMatch(/<script|href|<foreignObject|on\w+=/);
    expect(svg).toContain('&lt;script&gt;');
    expect(svg).toContain('12,345');
    expect(svg.length).toBeLessThan(4_000);
  });

  it('is a picture that says what it counts, and that a quota was reached, with labels that stay inside', () => {
    const long = 'a-very-long-subdomain.of-a-very-long-domain.example';
    const days = ['2026-11-20', '2026-11-21'].map((day) => ({ day, hits: 3 }));
    const drawn = (overQuota: number) =>
      badge({
        ...{ subject: long, title: `AI bot visits of ${long}`, population: 'verified and unknown' },
        ...{ overQuota, total: 6, days, theme: 'dark' },
      });
    const textsOf = (svg: string) => [...svg.matchAll(/<text [^>]*>([^<]*)</g)].map(([, text]) => text);
    const [, title, subject, note] = textsOf(drawn(0));
    expect(note).toBe('verified and unknown visits · days of 2026-11-20 to 2026-11-21');
    for (const [label, whole] of [
      [title, `AI bot visits of ${long}`],
      [subject, long],
    ] as const) {
      expect(label).toHaveLength(38);
      expect(label).toMatch(/…$/);
      expect(whole.startsWith(label?.slice(0, -1) ?? '-')).toBe(true);
    }
    // What is cut is in the name of the picture.
    expect(drawn(0)).toContain(`<title>6 AI bot visits of ${long} on ${long}.`);
    expect(textsOf(drawn(1)).at(-1)).toBe(
      'verified and unknown visits · 2026-11-20 to 2026-11-21 · quota reached',
    );
    expect(drawn(1)).toContain('The quota was reached on 1 day: visits dropped after that are missing.');
    expect(drawn(2)).toContain('The quota was reached on 2 days:');
  });

  it('is a mail that loads nothing, in tables 600 wide, with the same as text', () => {
    const { html = '', text } = composeMail({
      ...{ to: 'ada@shop.example', every: 'week', period: '9 – 15 Nov 2026' },
      ...{ comparison: 'There is no comparison.', notes: ['A note of <b>days</b>.'] },
      property: { name: 'Shop', domain: 'shop.example', timeZone: 'Europe/Berlin' },
      figures: [{ label: 'AI bot visits', value: 1_234, estimated: 32, change: null }],
      bots: [{ name: 'GPTBot', detail: 'OpenAI', value: 900, estimated: 0 }],
      pages: [{ name: '/<b>bold</b>', detail: 'shop.example', value: 400, estimated: 3 }],
      spoofed: { value: 99, estimated: 0 },
      newBots: [],
      population: 'verified_unknown',
      link: 'https://ghostlight.example/p/1/overview?from=2026-11-09&to=2026-11-15',
      unsubscribe: 'https://ghostlight.example/share/unsubscribe/x',
    });
    expect(html).not.toMatch(/<(?:img|script|link|iframe|div class="[^"]*flex)|url\(|@import|src=/);
    expect(html).toContain('width="600"');
    expect(html).toContain('&lt;b&gt;bold&lt;/b&gt;');
    expect(html).toContain('prefers-color-scheme: dark');
    expect(html).toContain('Verified and unknown visits are counted. 99 spoofed visits are not.');
    expect(html).toContain('>≈ 1,234<');
    for (const part of [
      '≈ 1,234 (no comparison)',
      '900  GPTBot (OpenAI)',
      '≈ 400  /<b>bold</b> (shop.example)',
      'counted. 99 spoofed visits are not. ≈ marks figures',
      'Unsubscribe: https://',
      'There is no comparison. A note of <b>days</b>.',
    ])
      expect(text).toContain(part);
    expect(html).toContain('There is no comparison. A note of &lt;b&gt;days&lt;/b&gt;.');
  });
});
