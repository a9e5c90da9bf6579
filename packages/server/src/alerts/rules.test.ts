/** Each rule on hits that the real engine has stored. */

import { DAY_MS, HOUR_MS, MINUTE_MS } from '@ghostlight/core/time';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestDatabases, type TestDatabase, type TestDatabases } from '../database/testing.ts';
import { countInto } from '../warehouse/index.ts';
import { openTestWarehouse, type TestWarehouse } from '../warehouse/testing/warehouse.ts';
import { openTestAlerts, START, type TestAlerts } from './testing.ts';

const clock = { now: START };
let databases: TestDatabases;
let store: TestWarehouse;
let home: TestDatabase;
let at: TestAlerts;
beforeAll(async () => {
  databases = await openTestDatabases();
  store = await openTestWarehouse({ clock: () => clock.now });
});
afterAll(async () => {
  await store.close();
  await databases.close();
});
beforeEach(async () => {
  clock.now = START;
  const [backend] = databases.backends;
  if (backend === undefined) throw new Error('There is no backend');
  home = await backend.fresh({ clock: () => clock.now });
  at = await openTestAlerts(home, store.warehouse, clock);
});
afterEach(async () => {
  await at.close();
  await home.remove();
});

const open = async (kind?: string) => {
  const { items } = await at.alerts.list(at.property, { limit: 200, state: 'open' });
  return items
    .map(({ alert, link }) => ({ ...alert, link }))
    .filter((alert) => kind === undefined || alert.kind === kind);
};
const times = (count: number, value: Parameters<TestAlerts['put']>[0][number]) =>
  Array.from({ length: count }, () => value);

/** All visits were dropped over the quota between these moments, on the day of the first. */
const drop = async (from: number, to: number): Promise<void> => {
  await at.db.kysely
    .insertInto('over_quota_days')
    .values({
      ...{ attribution_id: at.property.id, organization_id: at.property.organizationId },
      ...{ day: new Date(from).toISOString().slice(0, 10), over_at: from, closed_at: from, closed_until: to },
    })
    .execute();
};

describe('a new bot', () => {
  it('opens one alert, at its first visit, and is no longer new after a day', async () => {
    await at.usual({}, { until: 2 * DAY_MS });
    await at.alerts.look();
    expect(await at.titles()).toEqual([]);
    await at.put([{ bot_name: 'ClaudeBot', vendor: 'Anthropic', at: clock.now - MINUTE_MS }]);
    at.pass(5 * MINUTE_MS);
    await at.alerts.look();
    expect(await open()).toMatchObject([
      {
        kind: 'new_bot',
        subject: 'ClaudeBot',
        text: '1 visit within a day.',
        now: 1,
        usual: null,
        unit: 'visits',
        link: '/bots?bot=ClaudeBot&from=2026-02-27&to=2026-03-13',
      },
    ]);
    await at.put([{ bot_name: 'ClaudeBot' }]);
    at.pass(5 * MINUTE_MS);
    await at.alerts.look();
    expect(await at.titles()).toEqual(['open: New bot: ClaudeBot']);
    at.pass(DAY_MS);
    await at.put([{ bot_name: 'ClaudeBot' }]);
    await at.alerts.look();
    await at.alerts.look();
    expect(await at.titles()).toEqual(['over: New bot: ClaudeBot']);
  });

  it('is no spoofed one, none on a property’s first day, and none from the history before the first evaluation', async () => {
    await at.put([{ at: clock.now - 40 * DAY_MS, bot_name: 'Bytespider' }]);
    await at.usual();
    await at.alerts.look();
    at.pass(5 * MINUTE_MS);
    await at.put([{ bot_name: 'Bytespider' }, { bot_name: 'ClaudeBot', verified: false }]);
    await at.alerts.look();
    expect(await at.titles()).toEqual([]);

    // Of a day whose hits have been deleted since, its row tells.
    const old = await at.properties.create({ kind: 'all' }, 'root', { name: 'Old', domain: 'old.example' });
    const day = Math.floor(clock.now / DAY_MS) - 30;
    await at.put([{ at: day * DAY_MS, bot_name: 'Bytespider' }], old);
    await countInto(store.warehouse, old.organizationId, [old.id], [{ day, run: 1 }], (of) => of * DAY_MS);
    await store.warehouse.command({
      sql: 'DELETE FROM hits WHERE attribution_id = {id:UUID}',
      params: { id: old.id },
      settings: { lightweight_deletes_sync: 1 },
    });
    await at.put([{ at: clock.now - MINUTE_MS }], old);
    await at.alerts.look();
    await at.put([{ bot_name: 'Bytespider' }, { bot_name: 'ClaudeBot' }], old);
    await at.alerts.look();
    expect((await at.alerts.list(old, { limit: 9 })).items.map(({ alert }) => alert.subject)).toEqual([
      'ClaudeBot',
    ]);

    const young = await at.properties.create({ kind: 'all' }, 'root', { name: 'New', domain: 'new.example' });
    const titles = async () =>
      (await at.alerts.list(young, { limit: 200 })).items.map(({ alert }) => alert.title);
    await at.put([{ at: clock.now }], young);
    await at.alerts.look();
    at.pass(23 * HOUR_MS);
    // A name that was only pretended on that day is not known by it.
    await at.put([{ bot_name: 'ClaudeBot' }, { bot_name: 'PerplexityBot', verified: false }], young);
    await at.alerts.look();
    expect(await titles()).toEqual([]);
    at.pass(2 * HOUR_MS);
    await at.put([{ bot_name: 'PerplexityBot' }, { bot_name: 'ClaudeBot' }], young);
    await at.alerts.look();
    expect(await titles()).toEqual(['New bot: PerplexityBot']);
  });

  it('has to make as many visits as the rule says, and is known when it came while the rule was off', async () => {
    const rule = (change: object) =>
      at.alerts.settings.change(at.property, 'root', { rules: [{ kind: 'new_bot', ...change }] });
    await at.usual({}, { until: DAY_MS });
    await rule({ threshold: 5 });
    await at.alerts.look();
    await at.put(times(4, { bot_name: 'ClaudeBot' }));
    await at.alerts.look();
    expect(await at.titles()).toEqual([]);
    await at.put([{ bot_name: 'ClaudeBot' }]);
    await at.alerts.look();
    expect(await at.titles()).toEqual(['open: New bot: ClaudeBot']);
    await rule({ enabled: false });
    await at.put(times(9, { bot_name: 'PerplexityBot' }));
    await at.alerts.look();
    // What was open of it is looked at no more.
    expect(await at.titles()).toEqual(['over: New bot: ClaudeBot']);
    await rule({ enabled: true });
    at.pass(5 * MINUTE_MS);
    await at.put(times(9, { bot_name: 'PerplexityBot' }));
    await at.alerts.look();
    expect(await at.titles()).toEqual(['over: New bot: ClaudeBot']);
  });

  it('is found after days without evaluation', async () => {
    await at.usual({}, { until: 4 * DAY_MS });
    await at.alerts.look();
    await at.put([{ bot_name: 'ClaudeBot', at: clock.now + 30 * HOUR_MS }]);
    at.pass(4 * DAY_MS);
    await at.alerts.look();
    expect(await at.titles()).toEqual(['open: New bot: ClaudeBot']);
  });
});

describe('a spike', () => {
  it('is many times the busiest hours, and is over when they are back', async () => {
    await at.usual({ weight: 60 }, { until: DAY_MS });
    await at.alerts.look();
    at.pass(10 * MINUTE_MS);
    await at.put([{ weight: 110 }]);
    await at.alerts.look();
    expect(await open()).toEqual([]);
    await at.put([{ weight: 40 }]);
    await at.alerts.look();
    expect(await open()).toMatchObject([
      {
        kind: 'spike',
        subject: 'GPTBot',
        title: 'GPTBot visits far more often than usual',
        text: '210 visits in one hour. Usually up to 60.',
        now: 210,
        usual: 60,
        link: '/bots?bot=GPTBot&from=2026-02-27&to=2026-03-13',
      },
    ]);
    // A higher value is shown, a lower one is not: the peak is what matters.
    await at.put([{ weight: 90 }]);
    at.pass(5 * MINUTE_MS);
    await at.alerts.look();
    expect(await open()).toMatchObject([{ now: 300 }]);
    at.pass(50 * MINUTE_MS);
    await at.alerts.look();
    at.pass(10 * MINUTE_MS);
    await at.alerts.look();
    expect(await at.titles()).toEqual(['over: GPTBot visited far more often than usual']);
  });

  it('is none on few visits, none for a bot that always comes in bursts, none where nothing is usual yet', async () => {
    await at.usual({ weight: 1 });
    // Every Sunday and today, two hours long.
    for (const days of [7, 14, 0])
      await at.put(
        [0, 1].map((hour) => ({
          bot_name: 'Bytespider',
          weight: 800,
          at: clock.now - days * DAY_MS - hour * HOUR_MS,
        })),
      );
    await at.put([{ weight: 80 }]);
    await at.alerts.look();
    expect(await open('spike')).toEqual([]);

    const young = await at.properties.create({ kind: 'all' }, 'root', { name: 'New', domain: 'new.example' });
    await at.put([{ at: clock.now - 3 * DAY_MS }, { weight: 10_000 }], young);
    await at.alerts.look();
    expect((await at.alerts.list(young, { limit: 10 })).items).toEqual([]);
  });

  it('may take a day, too little in any hour', async () => {
    await at.usual({ weight: 60 }, { everyHours: 24 });
    await at.put(Array.from({ length: 23 }, (_, hour) => ({ weight: 40, at: clock.now - hour * HOUR_MS })));
    await at.alerts.look();
    expect(await open('spike')).toMatchObject([{ text: '980 visits in 24 hours. Usually up to 60.' }]);
  });

  it('is none against days of which visits were dropped, and says which days it is against', async () => {
    const ago = (days: number) => clock.now - days * DAY_MS;
    // It comes daily, but was stored on three days.
    await at.put([15, 4, 3].map((days) => ({ weight: 600, at: ago(days) })));
    await at.put([14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 2].map((days) => ({ at: ago(days) })));
    for (let days = 14; days >= 5; days -= 1)
      await drop(ago(days) - 10 * MINUTE_MS, ago(days) + 10 * MINUTE_MS);
    await at.put([{ weight: 700 }]);
    await at.alerts.look();
    expect(await open()).toEqual([]);

    await at.db.kysely.deleteFrom('over_quota_days').where('day', '=', '2026-03-08').execute();
    await (await at.again()).look();
    expect(await open()).toMatchObject([
      {
        text: '700 visits in one hour. Usually up to 1, not counting hours in which visits were dropped over the quota.',
      },
    ]);
  });

  it('of very many bots opens alerts for fifty, and for the others at the next evaluation', async () => {
    const bots = Array.from({ length: 60 }, (_, index) => `Bot${String(index).padStart(2, '0')}`);
    for (let day = 1; day <= 15; day += 1)
      await at.put(bots.map((bot) => ({ bot_name: bot, weight: 60, at: clock.now - day * DAY_MS })));
    await at.alerts.look();
    await at.put(bots.map((bot) => ({ bot_name: bot, weight: 600 })));
    for (const alerts of [50, 60, 60]) {
      await at.alerts.look();
      expect(await open('spike')).toHaveLength(alerts);
    }
  });

  it('does not count who only pretends', async () => {
    await at.usual({ weight: 60 });
    await at.put([{ weight: 5_000, verified: false }]);
    await at.alerts.look();
    expect(await open('spike')).toEqual([]);
    expect(await open('spoof_surge')).toHaveLength(1);
  });
});

describe('a bot that is gone', () => {
  it('came daily and has not come for 24 hours, while others did; it may come back', async () => {
    await at.usual({ weight: 5 });
    await at.usual({ bot_name: 'ClaudeBot', weight: 3 }, { until: 3 * DAY_MS });
    // Came on few days, or in few visits: their absence is no anomaly.
    await at.usual({ bot_name: 'Bytespider', weight: 500 }, { everyHours: 60 });
    await at.usual({ bot_name: 'PerplexityBot', weight: 2 }, { everyHours: 24 });
    await at.watch(23 * HOUR_MS + 40 * MINUTE_MS);
    expect(await open()).toEqual([]);
    await at.watch(HOUR_MS);
    expect(await open()).toMatchObject([
      {
        kind: 'drop_to_zero',
        subject: 'GPTBot',
        title: 'No visits from GPTBot for 24 hours',
        link: '/bots?bot=GPTBot&from=2026-02-28&to=2026-03-14',
        text: '0 visits in 24 hours. Usually 120 a day, on each of the 14 days before.',
        now: 0,
        usual: 120,
      },
    ]);
    await at.put([{}]);
    at.pass(5 * MINUTE_MS);
    await at.alerts.look();
    expect(await at.titles()).toEqual(['over: No visits from GPTBot for 24 hours']);
  });

  it('and stays away is no alert for ever, which says that it has not come back', async () => {
    await at.usual({ weight: 5 });
    await at.usual({ bot_name: 'ClaudeBot', weight: 3 }, { until: 2 * DAY_MS });
    await at.watch(25 * HOUR_MS);
    expect(await open('drop_to_zero')).toHaveLength(1);
    at.pass(16 * DAY_MS);
    await at.alerts.look();
    const { items } = await at.alerts.list(at.property, { limit: 10 });
    const gone = items.find(({ alert }) => alert.kind === 'drop_to_zero')?.alert;
    expect(gone?.resolved_at).not.toBeNull();
    expect(gone?.text).toContain('Closed after two weeks without visits, which is now usual for GPTBot.');
  });

  it('is not missed when this service was down itself, or no bot came', async () => {
    await at.usual({ weight: 5 });
    await at.usual({ bot_name: 'ClaudeBot', weight: 3 }, { until: 27 * HOUR_MS });
    await at.alerts.look();
    at.pass(26 * HOUR_MS);
    await at.alerts.look();
    expect(await open()).toEqual([]);
    await at.watch(25 * HOUR_MS);
    expect(await open('drop_to_zero')).toEqual([]);
  });
});

describe('spoofed visits', () => {
  it('surge above their own usual and above the least, and cease', async () => {
    await at.usual({}, { until: DAY_MS });
    await at.usual({ verified: false, weight: 40 }, { until: DAY_MS });
    await at.alerts.look();
    at.pass(MINUTE_MS);
    await at.put([{ verified: false, weight: 70 }]);
    await at.alerts.look();
    expect(await open()).toEqual([]);
    await at.put([{ verified: false, weight: 20, bot_name: 'ClaudeBot' }]);
    await at.alerts.look();
    expect(await open()).toMatchObject([
      {
        kind: 'spoof_surge',
        subject: '',
        text: '130 spoofed visits in one hour, posing as GPTBot and ClaudeBot. Usually up to 40.',
        link: '/trust?include=spoofed&from=2026-02-27&to=2026-03-13',
      },
    ]);
    at.pass(70 * MINUTE_MS);
    await at.alerts.look();
    expect(await at.titles()).toEqual(['over: Surge of spoofed visits']);
  });

  it('are seen when they have been received, not before', async () => {
    await at.usual();
    await at.alerts.look();
    await at.put([{ verified: false, weight: 500, at: at.now() + 3 * MINUTE_MS }]);
    await at.alerts.look();
    expect(await open('spoof_surge')).toEqual([]);
    at.pass(5 * MINUTE_MS);
    await at.alerts.look();
    expect(await open('spoof_surge')).toHaveLength(1);
  });

  it('under one name open at that bot', async () => {
    await at.usual();
    await at.put([{ verified: false, weight: 500, bot_name: 'ClaudeBot' }]);
    await at.alerts.look();
    expect(await open('spoof_surge')).toMatchObject([
      { link: '/trust?bot=ClaudeBot&include=spoofed&from=2026-02-27&to=2026-03-13' },
    ]);
  });

  it('are no surge in small numbers, however unusual', async () => {
    await at.usual();
    await at.put([{ verified: false, weight: 99 }]);
    await at.alerts.look();
    expect(await open()).toEqual([]);
  });
});

describe('errors that bots meet', () => {
  it('are a share of enough answers, without those who only pretend', async () => {
    await at.usual({ weight: 10 });
    await at.put([
      { weight: 8, status: 500, bot_name: 'ClaudeBot' },
      { weight: 900, status: 403, verified: false },
    ]);
    await at.alerts.look();
    expect(await open('bot_errors')).toEqual([]);
    await at.put([{ weight: 12, status: 500, bot_name: 'ClaudeBot' }]);
    await at.alerts.look();
    expect(await open('bot_errors')).toMatchObject([
      {
        title: 'Many errors for AI bots',
        text: '40% of responses to AI bots were errors (20 of 50 in three hours), most often to ClaudeBot. Usually 0%.',
        unit: 'share',
        usual: 0,
        link: '/failures?from=2026-02-27&to=2026-03-13',
      },
    ]);
    await at.put([{ weight: 90 }]);
    await at.alerts.look();
    expect(await open('bot_errors')).toEqual([]);
  });

  it('open nothing when almost no bot came', async () => {
    await at.usual({ weight: 2 });
    await at.put([{ weight: 30, status: 404 }]);
    await at.alerts.look();
    expect(await open('bot_errors')).toEqual([]);
  });
});

describe('a collector', () => {
  it('is quiet when nothing came for hours, which is not usual, and is heard again', async () => {
    await at.usual();
    await at.watch(5 * HOUR_MS + 40 * MINUTE_MS);
    expect(await open()).toEqual([]);
    await at.watch(HOUR_MS);
    expect(await open()).toMatchObject([
      {
        kind: 'collector_quiet',
        subject: '',
        title: 'No data received for 6 hours',
        text: expect.stringMatching(
          /^6 hours without a visit\. Usually visits come every hour\. The last one was received on \d+ Mar 2026 at \d\d:30 UTC\./,
        ),
        usual: 0,
        link: '/collectors?from=2026-02-27&to=2026-03-13',
      },
    ]);
    await at.watch(4 * HOUR_MS);
    expect(await open()).toMatchObject([{ title: 'No data received for 10 hours', now: 10 }]);
    // People count: it is the collector that is heard.
    await at.put([
      {
        class: 'sample',
        bot_name: '',
        vendor: '',
        engine: '',
        intent: 'other',
        sample_rate: 0.1,
        weight: 10,
      },
    ]);
    at.pass(5 * MINUTE_MS);
    await at.alerts.look();
    expect(await at.titles()).toEqual(['over: No data received for 10 hours']);
  });

  it('is not quiet while all visits are dropped over the quota, and for as long as is usual afterwards', async () => {
    await at.usual();
    const until = START + 12 * HOUR_MS;
    await drop(START, until);
    await at.watch(17 * HOUR_MS);
    expect(await open()).toEqual([]);
    await at.watch(HOUR_MS);
    expect(await open()).toMatchObject([
      {
        title: 'No data received for 6 hours',
        text: expect.stringMatching(
          /^6 hours without a visit\. Usually visits come every hour\. All visits were dropped until 14 Mar 2026 at 00:30 UTC because twice the quota/,
        ),
      },
    ]);
  });

  it('is not quiet where hours without visits are usual, nor while this service was down itself', async () => {
    await at.usual({}, { everyHours: 9 });
    await at.watch(8 * HOUR_MS);
    expect(await open()).toEqual([]);
    clock.now = START;
    const busy = await at.properties.create({ kind: 'all' }, 'root', {
      name: 'Busy',
      domain: 'busy.example',
    });
    await at.usual({}, { property: busy });
    await at.alerts.look();
    at.pass(12 * HOUR_MS);
    await at.alerts.look();
    expect((await at.alerts.list(busy, { limit: 10 })).items).toEqual([]);
  });
});

it('the first visit from an engine opens one alert for each', async () => {
  const referral = {
    class: 'ai_referral',
    bot_name: '',
    vendor: '',
    engine: 'openai',
    referral_signal: 'referrer',
  } as const;
  await at.usual();
  await at.usual({ ...referral, intent: 'other', referrer_engine: 'ChatGPT' });
  await at.alerts.look();
  await at.put([{ ...referral, referrer_engine: 'Perplexity', weight: 1 }]);
  await at.alerts.look();
  await at.put([{ ...referral, referrer_engine: 'Perplexity' }]);
  await at.alerts.look();
  expect(await open()).toMatchObject([
    {
      kind: 'ai_referral_first',
      subject: 'Perplexity',
      title: 'First referral from Perplexity',
      link: '/referrals?group=engine&from=2026-02-27&to=2026-03-13',
    },
  ]);
});

describe('search crawlers', () => {
  const googlebot = {
    class: 'search_engine',
    bot_name: 'Googlebot',
    vendor: 'Google',
    engine: 'google',
  } as const;

  it('open no alert, however new, many, failing or false', async () => {
    await at.usual({}, { until: 2 * DAY_MS });
    await at.alerts.look();
    await at.put([
      ...times(400, { ...googlebot, verified: false, status: 500 }),
      ...times(400, { ...googlebot, verified: true, status: 404 }),
      // Under the name of a bot that is usual here.
      ...times(400, { ...googlebot, bot_name: 'GPTBot', verified: true, status: 500 }),
    ]);
    at.pass(5 * MINUTE_MS);
    await at.alerts.look();
    expect(await at.titles()).toEqual([]);
  });

  it('show that the collector still runs', async () => {
    await at.usual();
    const open = async () => (await at.titles()).filter((title) => title.includes('No data received'));
    for (let hour = 0; hour < 7; hour += 1) {
      await at.put([{ ...googlebot, verified: true }]);
      await at.watch(HOUR_MS);
    }
    expect(await open()).toEqual([]);
    await at.watch(7 * HOUR_MS);
    expect(await open()).toHaveLength(1);
  });
});
