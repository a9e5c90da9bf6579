/** Where messages go, how often, and with which outcome: real databases, a mail server and a receiver of this machine. */

import { DAY_MS, HOUR_MS, MINUTE_MS } from '@ghostlight/core/time';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Log } from '../common/index.ts';
import { createSecretCipher } from '../database/index.ts';
import { openTestDatabases, type TestDatabase } from '../database/testing.ts';
import { SendError } from '../outbound/index.ts';
import { WarehouseUnavailable } from '../warehouse/index.ts';
import { openTestWarehouse, type TestWarehouse } from '../warehouse/testing/warehouse.ts';
import type { Alerts } from './index.ts';
import { OURS, openTestAlerts, START, type TestAlerts } from './testing.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());

describe.each(databases.backends)('alerts on $name', (backend) => {
  const clock = { now: START };
  let store: TestWarehouse;
  let home: TestDatabase;
  let at: TestAlerts;
  let logged: string[];
  beforeAll(async () => {
    store = await openTestWarehouse({ clock: () => clock.now });
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    clock.now = START;
    logged = [];
    home = await backend.fresh({ clock: () => clock.now });
    at = await openTestAlerts(home, store.warehouse, clock, { log: recorder(logged) });
    // So many errors are a spike too, which is not what is asked for here.
    await at.alerts.settings.change(at.property, 'root', { rules: [{ kind: 'spike', enabled: false }] });
    // The first look only learns.
    await at.usual({ weight: 60 });
    await at.alerts.look();
  });
  afterEach(async () => {
    await at.close();
    await home.remove();
  });

  const sent = async (of: Alerts = at.alerts) =>
    (await of.list(at.property, { limit: 200 })).items.flatMap((item) => item.sent);
  const news = async (bot: string, of: Alerts = at.alerts) => {
    await at.put([{ bot_name: bot }]);
    at.pass(MINUTE_MS);
    await of.look();
  };
  const errors = async (status = 500) => {
    await at.put([{ weight: 1_000, status }]);
    at.pass(MINUTE_MS);
    await at.alerts.look();
  };
  /** Three hours later nothing of the errors is left. */
  const calm = async () => {
    at.pass(4 * HOUR_MS);
    await at.put([{ weight: 50 }]);
    await at.alerts.look();
  };
  const bodies = () => at.receiver.received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);

  it('are posted, signed so that a receiver can check it, with a link into the report', async () => {
    const { secret } = await at.channel();
    await news('ClaudeBot');
    const [posted] = at.receiver.received;
    expect(posted?.path).toBe('/ops/alerts');
    const headers = posted?.headers ?? {};
    expect(headers['webhook-timestamp']).toBe(String(Math.floor(clock.now / 1_000)));
    // The library looks at its own clock: the signature alone is asked for.
    const signed = new Webhook(secret ?? '').sign(
      headers['webhook-id'] ?? '',
      new Date(Number(headers['webhook-timestamp']) * 1_000),
      posted?.body ?? '',
    );
    expect(headers['webhook-signature']).toBe(signed);
    expect(JSON.parse(posted?.body ?? '')).toMatchObject({
      type: 'alert.opened',
      data: {
        kind: 'new_bot',
        subject: 'ClaudeBot',
        resolved_at: null,
        figures: { now: 1, usual: null, unit: 'visits' },
        link: `https://app.example/p/${at.property.id}/bots?bot=ClaudeBot&from=2026-02-27&to=2026-03-13`,
        property: { id: at.property.id, name: 'Shop', domain: 'shop.example', time_zone: 'UTC' },
      },
    });
    expect(await sent()).toMatchObject([
      { name: 'Ops', type: 'webhook', phase: 'opened', ok: true, attempts: 1 },
    ]);
  });

  it('of a muted rule are listed and not sent, until the moment has come', async () => {
    await at.channel();
    const mute = (mutedUntil: number | null) =>
      at.alerts.settings.change(at.property, 'root', { rules: [{ kind: 'new_bot', mutedUntil }] });
    await expect(mute(clock.now + 40 * DAY_MS)).rejects.toMatchObject({ code: 'invalid' });
    await expect(mute(clock.now)).rejects.toMatchObject({ code: 'invalid' });
    await mute(clock.now + HOUR_MS);
    await news('ClaudeBot');
    expect(await at.titles()).toHaveLength(1);
    expect(bodies()).toEqual([]);
    at.pass(HOUR_MS);
    expect((await at.alerts.settings.read(at.property)).rules[0]).toMatchObject({ mutedUntil: null });
    await news('Bytespider');
    expect(bodies()).toMatchObject([{ data: { subject: 'Bytespider' } }]);
  });

  it('say what began while its rule was muted once that is over, and nothing of what ended meanwhile', async () => {
    await at.channel();
    const mute = (mutedUntil: number) =>
      at.alerts.settings.change(at.property, 'root', { rules: [{ kind: 'bot_errors', mutedUntil }] });
    await mute(clock.now + 2 * HOUR_MS);
    await errors();
    await calm();
    expect(await at.titles()).toEqual([expect.stringMatching(/^over: /)]);
    expect(bodies()).toEqual([]);
    at.pass(DAY_MS);
    await mute(clock.now + MINUTE_MS / 2);
    await at.put([{ weight: 1_000, status: 500 }]);
    await at.alerts.look();
    expect(bodies()).toEqual([]);
    at.pass(MINUTE_MS);
    await at.alerts.look();
    expect(bodies().map(({ type }) => type)).toEqual(['alert.opened']);
    // Of what was heard before the rule was muted, no end is sent either.
    await mute(clock.now + DAY_MS);
    await calm();
    expect(bodies()).toHaveLength(1);
  });

  it('come in their order: “resolved” waits for an “opened” that was not taken yet', async () => {
    await at.channel();
    at.receiver.answer(503);
    await errors();
    for (const minutes of [2, 5, 31, 121]) {
      at.pass(minutes * MINUTE_MS);
      await at.alerts.dispatch();
    }
    expect(at.receiver.received).toHaveLength(5);
    at.receiver.answer(200);
    // The sixth attempt is six hours away, and the alert is over.
    await calm();
    expect(at.receiver.received).toHaveLength(5);
    expect((await sent()).map(({ phase, attempts }) => [phase, attempts])).toContainEqual(['resolved', 0]);
    at.pass(6 * HOUR_MS);
    await at.alerts.dispatch();
    expect(
      bodies()
        .slice(5)
        .map(({ type }) => type),
    ).toEqual(['alert.opened', 'alert.resolved']);
  });

  it('go to the channels that want their rule', async () => {
    await at.channel({ kinds: ['bot_errors'], name: 'Errors' });
    const { id } = await at.channel({ name: 'All' });
    await news('ClaudeBot');
    expect((await sent()).map(({ name }) => name)).toEqual(['All']);
    await at.alerts.channels.update(at.property, 'root', id, { kinds: [], target: 'https://new.example/x' });
    const logged = await at.db.reader
      .selectFrom('audit_log')
      .select('changes')
      .where('action', '=', 'alert_channel.updated')
      .execute();
    expect(logged.map(({ changes }) => JSON.parse(changes ?? '[]'))).toEqual([
      [
        { what: 'kinds', before: 'all', after: '[]' },
        { what: 'target', before: null, after: 'replaced' },
      ],
    ]);
    expect(JSON.stringify(logged)).not.toContain('new.example');
    await errors();
    expect((await sent()).map(({ name }) => name).sort()).toEqual(['All', 'Errors']);
  });

  it('that were acknowledged are not repeated while they hold', async () => {
    await at.channel();
    await errors();
    const [{ alert } = { alert: { id: '' } }] = (await at.alerts.list(at.property, { limit: 1 })).items;
    const seen = await at.alerts.reply(at.property, 'person:1', alert.id, true);
    expect(seen.alert).toMatchObject({ acknowledged_at: clock.now, acknowledged_by: 'person:1' });
    await expect(at.alerts.reply(at.property, 'root', `alt_${'0'.repeat(32)}`, true)).rejects.toMatchObject({
      code: 'not_found',
    });
    await calm();
    await errors();
    at.pass(25 * HOUR_MS);
    await errors();
    const opened = () => bodies().filter(({ type }) => type === 'alert.opened');
    expect(opened()).toHaveLength(1);
    const undone = await at.alerts.reply(at.property, 'root', alert.id, false);
    await errors();
    expect(opened()).toHaveLength(2);
    expect(undone.alert.acknowledged_at).toBeNull();
  });

  it('are verified by the library that receivers use', async () => {
    clock.now = Date.now();
    const { id, secret } = await at.channel();
    expect(await at.alerts.test(at.property, 'root', id)).toMatchObject({ ok: true });
    const [posted] = at.receiver.received;
    const verified = new Webhook(secret ?? '').verify(posted?.body ?? '', { ...posted?.headers });
    expect(verified).toMatchObject({ type: 'alert.test' });
    expect(() => new Webhook(secret ?? '').verify(`${posted?.body} `, { ...posted?.headers })).toThrow();
  });

  it('are mailed, and posted to Slack, where untrusted text stays text', async () => {
    await at.channel({ type: 'email', name: 'Mail', target: 'ops@shop.example' });
    await at.channel({
      type: 'slack',
      name: 'Slack',
      target: 'https://hooks.slack.com/services/T0/B0/secretPart',
    });
    await news('<!channel> & *Bot*\r\nBcc: everybody@shop.example');
    const mail = await at.smtp.mail(0);
    expect(mail).toMatchObject({ from: 'alerts@ghostlight.example', to: 'ops@shop.example' });
    expect(mail.text).toMatch(/^Subject: \[Shop\] New bot: /m);
    expect(mail.text).not.toMatch(/^Bcc:/m);
    const link = new RegExp(
      `https://app\\.example/p/${at.property.id}/bots\\?bot=\\S+&from=2026-02-27&to=2026-03-13`,
    );
    expect(mail.text.replaceAll('=\r\n', '')).toMatch(link);
    const [posted] = at.receiver.received;
    expect(posted?.path).toBe('/slack/services/T0/B0/secretPart');
    expect(posted?.body).toContain('&lt;!channel&gt; &amp;');
    expect(posted?.body).not.toContain('<!channel>');
    expect(posted?.body).toMatch(link);
    expect((await sent()).map(({ ok }) => ok)).toEqual([true, true]);
  });

  it('say it once, say when it is over, and keep quiet about what comes and goes', async () => {
    await at.channel();
    await errors();
    await errors();
    expect(bodies().map(({ type }) => type)).toEqual(['alert.opened']);
    await calm();
    expect(bodies().map(({ type }) => type)).toEqual(['alert.opened', 'alert.resolved']);
    expect(bodies()[1]).toMatchObject({ data: { resolved_at: new Date(clock.now).toISOString() } });
    // Again within the day: the same alert continues and ends, without a message.
    await errors();
    expect(await at.titles()).toHaveLength(1);
    await calm();
    expect(bodies()).toHaveLength(2);
    expect(await at.titles()).toEqual([expect.stringMatching(/^over: Many errors for AI bots/)]);
    // The day after it is another one.
    at.pass(DAY_MS);
    await errors();
    expect(bodies().map(({ type }) => type)).toEqual(['alert.opened', 'alert.resolved', 'alert.opened']);
    expect(await at.titles()).toHaveLength(2);
  });

  it('say that something holds which they said was over, once its time has come', async () => {
    await at.channel();
    await at.alerts.settings.change(at.property, 'root', { repeatHours: 6 });
    await errors();
    await calm();
    await errors();
    expect(bodies().map(({ type }) => type)).toEqual(['alert.opened', 'alert.resolved']);
    at.pass(2 * HOUR_MS);
    await errors();
    await errors();
    expect(bodies().map(({ type }) => type)).toEqual(['alert.opened', 'alert.resolved', 'alert.opened']);
    expect(await at.titles()).toHaveLength(1);
  });

  it('leave at their channel when the last one was tried, and what became of it', async () => {
    const { id } = await at.channel();
    const quiet = await at.channel({ name: 'Quiet', kinds: [], everywhere: true });
    const last = async () => {
      const listed = await at.alerts.channels.list(at.property);
      const of = new Map(listed.map((channel) => [channel.row.id, channel.last]));
      expect(of.get(quiet.id)).toBeNull();
      return of.get(id);
    };
    await at.alerts.test(at.property, 'root', id);
    expect(await last()).toBeNull();
    at.receiver.answer(503);
    await news('ClaudeBot');
    expect(await last()).toEqual({ at: clock.now, ok: null, error: 'http_503' });
    at.receiver.answer(410);
    at.pass(2 * MINUTE_MS);
    await at.alerts.dispatch();
    const refused = { at: clock.now, ok: false, error: 'http_410' };
    at.pass(MINUTE_MS);
    expect(await last()).toEqual(refused);
    at.receiver.answer(200);
    await news('PerplexityBot');
    expect(await last()).toEqual({ at: clock.now, ok: true, error: null });
  });

  it('survive a restart: nothing is repeated, nothing forgotten', async () => {
    await at.channel();
    at.receiver.answer(503);
    await news('ClaudeBot');
    expect(await sent()).toMatchObject([{ ok: null, error: 'http_503', attempts: 1 }]);
    const restarted = await at.again();
    at.receiver.answer(200);
    at.pass(MINUTE_MS);
    await restarted.look();
    at.pass(5 * MINUTE_MS);
    await restarted.look();
    expect(await at.titles()).toEqual(['open: New bot: ClaudeBot']);
    expect(await sent(restarted)).toMatchObject([{ ok: true, error: null, attempts: 2 }]);
    expect(new Set(at.receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(at.receiver.received).toHaveLength(2);
  });

  it('are found by one of two nodes, at whatever moments they look', async () => {
    await at.channel();
    const other = await at.again();
    await at.put([{ bot_name: 'ClaudeBot' }, { weight: 500, status: 500 }]);
    await Promise.all([at.alerts.look(), other.look(), at.alerts.dispatch(), other.dispatch()]);
    at.pass(MINUTE_MS);
    await Promise.all([other.look(), at.alerts.look()]);
    expect((await at.titles()).sort()).toEqual(['open: Many errors for AI bots', 'open: New bot: ClaudeBot']);
    expect(at.receiver.received).toHaveLength(2);
  });

  it('are tried again within bounds, and the end is shown', async () => {
    await at.channel();
    at.receiver.answer(500);
    await news('ClaudeBot');
    const attempts = [clock.now];
    for (let minute = 0; minute < 12 * 60; minute += 5) {
      at.pass(5 * MINUTE_MS);
      const before = at.receiver.received.length;
      await at.alerts.dispatch();
      if (at.receiver.received.length > before) attempts.push(clock.now);
    }
    const waits = attempts.slice(1).map((moment, index) => (moment - (attempts[index] ?? 0)) / MINUTE_MS);
    expect(waits).toEqual([5, 5, 30, 120, 360]);
    expect(await sent()).toMatchObject([{ ok: false, error: 'http_500', attempts: 6 }]);
  });

  it('are counted: what is open and waits, what was sent or failed, which looks were made', async () => {
    await at.channel();
    expect(await at.alerts.figures()).toEqual({ open: new Map(), waiting: 0 });
    at.receiver.answer(503);
    await news('ClaudeBot');
    expect(await at.alerts.figures()).toEqual({ open: new Map([['new_bot', 1]]), waiting: 1 });
    at.pass(2 * MINUTE_MS);
    at.receiver.answer(200);
    await at.alerts.dispatch();
    at.receiver.answer(410);
    await news('PerplexityBot');
    expect(await at.alerts.figures()).toEqual({ open: new Map([['new_bot', 2]]), waiting: 0 });
    const { messages, looks, lastRound } = at.alerts.work();
    expect(messages).toEqual(
      new Map([
        [
          'webhook',
          new Map([
            ['retry', 1],
            ['sent', 1],
            ['failed', 1],
          ]),
        ],
      ]),
    );
    expect(looks).toEqual({ done: 3, failed: 0 });
    expect(lastRound).toEqual({ endedAt: clock.now, seconds: 0 });
  });

  it('give up at once when the receiver refuses permanently', async () => {
    await at.channel();
    at.receiver.answer(410);
    await news('ClaudeBot');
    expect(await sent()).toMatchObject([{ ok: false, error: 'http_410', attempts: 1 }]);
    at.pass(DAY_MS / 2);
    expect(await at.alerts.dispatch()).toBe(0);
    expect(at.receiver.received).toHaveLength(1);
  });

  it('are not followed elsewhere, nor into the own network', async () => {
    await at.channel();
    at.receiver.answer(302, { Location: 'http://127.0.0.1:1/' });
    await news('ClaudeBot');
    expect(await sent()).toMatchObject([{ ok: null, error: 'http_302' }]);
    // A name that resolves to this machine and is not mapped.
    const { id } = await at.channel({ target: 'https://localhost.localdomain/x' });
    const { ok, error } = await at.alerts.test(at.property, 'root', id);
    expect(ok).toBe(false);
    expect(['private_address', 'no_such_host']).toContain(error);
  });

  it('come at most twenty an hour over a channel; the rest follows', async () => {
    await at.channel();
    await at.put(Array.from({ length: 25 }, (_, index) => ({ bot_name: `Bot${index}` })));
    await at.alerts.look();
    expect(at.receiver.received).toHaveLength(20);
    at.pass(30 * MINUTE_MS);
    await at.alerts.dispatch();
    expect(at.receiver.received).toHaveLength(20);
    at.pass(31 * MINUTE_MS);
    await at.alerts.dispatch();
    expect(at.receiver.received).toHaveLength(25);
    expect((await sent()).every(({ ok, attempts }) => ok === true && attempts === 1)).toBe(true);
  });

  it('wait for no channel that hangs: it gets one message of a pass, the others all of theirs', async () => {
    await at.channel({ name: 'Hangs', target: 'https://hangs.example/x' });
    await at.channel();
    const asked: string[] = [];
    const node = await at.again({
      send: async ({ url }) => {
        asked.push(new URL(url).hostname);
        if (url.startsWith('https://hangs.')) throw new SendError('timeout', true);
        return { status: 200, headers: {}, body: '' };
      },
    });
    await at.put(Array.from({ length: 6 }, (_, index) => ({ bot_name: `Bot${index}` })));
    at.pass(MINUTE_MS);
    await node.look();
    const times = (host: string) => asked.filter((one) => one === host).length;
    expect([times('hangs.example'), times('ops.example')]).toEqual([1, 6]);
    // The first is put off by its back-off; the next gets its turn.
    expect(await node.dispatch()).toBe(0);
    expect(times('hangs.example')).toBe(2);
  });

  it('leave a slow channel when its time of a pass is over', async () => {
    await at.channel();
    const node = await at.again({
      send: async () => {
        at.pass(9_000);
        return { status: 200, headers: {}, body: '' };
      },
    });
    await at.put(Array.from({ length: 6 }, (_, index) => ({ bot_name: `Bot${index}` })));
    at.pass(MINUTE_MS);
    await node.look();
    expect((await sent()).filter(({ ok }) => ok === true)).toHaveLength(3);
    expect(await node.dispatch()).toBe(3);
  });

  it('are given back by a stop, which costs no attempt', async () => {
    await at.channel();
    const stop = new AbortController();
    const node = await at.again({
      send: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(new SendError('stopped', true)));
          stop.abort();
        }),
    });
    await at.put([{ bot_name: 'ClaudeBot' }, { bot_name: 'PerplexityBot' }]);
    at.pass(MINUTE_MS);
    await node.look(stop.signal);
    expect((await sent()).map(({ ok, attempts }) => [ok, attempts])).toEqual([
      [null, 0],
      [null, 0],
    ]);
    expect(await at.alerts.dispatch()).toBe(2);
  });

  it('go to channels of all properties too, and to none that is off or removed', async () => {
    const second = await at.properties.create(OURS, 'root', { name: 'Second', domain: 'second.example' });
    const own = await at.channel({ name: 'Own', target: 'https://ops.example/own' });
    await at.channel({ name: 'All', target: 'https://ops.example/all', everywhere: true });
    await at.alerts.channels.create(second, 'root', {
      ...{ type: 'webhook', name: 'Second', target: 'https://ops.example/second', everywhere: false },
    });
    await news('ClaudeBot');
    expect(at.receiver.received.map(({ path }) => path).sort()).toEqual(['/ops/all', '/ops/own']);
    await at.alerts.channels.update(at.property, 'root', own.id, { enabled: false });
    await news('PerplexityBot');
    expect(at.receiver.received.slice(2).map(({ path }) => path)).toEqual(['/ops/all']);
    await at.alerts.channels.update(at.property, 'root', own.id, { enabled: true });
    at.receiver.answer(500);
    await news('Bytespider');
    await at.alerts.channels.delete(at.property, 'root', own.id);
    at.receiver.answer(200);
    at.pass(10 * MINUTE_MS);
    await at.alerts.dispatch();
    const [newest] = (await at.alerts.list(at.property, { limit: 1 })).items;
    expect(
      newest?.sent
        .map(({ name, ok, error }) => ({ name, ok, error }))
        .sort((a, b) => (a.name < b.name ? 1 : -1)),
    ).toEqual([
      { name: 'Own', ok: false, error: 'channel_off' },
      { name: 'All', ok: true, error: null },
    ]);
  });

  it('are looked for again when the warehouse is back, and nothing is lost or resolved meanwhile', async () => {
    await errors();
    const away = Object.assign(Object.create(store.warehouse), {
      rows: () => Promise.reject(new WarehouseUnavailable('away')),
    });
    const node = await at.again({ warehouse: away });
    await at.put([{ bot_name: 'ClaudeBot' }]);
    at.pass(10 * MINUTE_MS);
    expect(await node.look()).toBe(true);
    expect(await at.titles()).toEqual([expect.stringMatching(/^open: Many errors for AI bots/)]);
    expect(logged.filter((line) => line.includes('warehouse is down'))).toHaveLength(1);
    expect(node.work()).toMatchObject({ looks: { done: 0, failed: 1 }, lastRound: null });
    await at.alerts.look();
    expect(await at.titles()).toContain('open: New bot: ClaudeBot');
  });

  it('have at most twenty channels of a property, however many are added at once', async () => {
    const added = await Promise.allSettled(Array.from({ length: 25 }, () => at.channel()));
    const refused = added.filter((one) => one.status === 'rejected').map(({ reason }) => reason);
    expect(refused).toHaveLength(5);
    for (const reason of refused) expect(reason).toMatchObject({ code: 'conflict' });
    expect(await at.alerts.channels.list(at.property)).toHaveLength(20);
    await at.channel({ everywhere: true });
  });

  it('say why mail was not taken, and not to whom', async () => {
    const { id } = await at.channel({ type: 'email', name: 'Mail', target: 'ops@shop.example' });
    at.smtp.refuse('550 no such user ops@shop.example');
    const refused = await at.alerts.test(at.property, 'root', id);
    expect(refused.ok).toBe(false);
    expect(refused.error).toMatch(/^mail_E/);
    await news('ClaudeBot');
    expect(logged.join('\n')).toContain('could not be sent');
    expect(logged.join('\n')).not.toContain('ops@shop.example');
    const without = await at.again({ mailer: null });
    expect(await without.test(at.property, 'root', id)).toMatchObject({ ok: false, error: 'no_mail' });
    await expect(
      without.channels.create(at.property, 'root', {
        ...{ type: 'email', name: 'Mail', target: 'a@b.example', everywhere: false },
      }),
    ).rejects.toMatchObject({ code: 'invalid' });
  });

  it('keep addresses and secrets encrypted, and decrypt them after the key was changed', async () => {
    const { secret } = await at.channel({ target: 'https://ops.example/alerts?key=hidden-in-path' });
    await at.channel({ type: 'slack', target: 'https://hooks.slack.com/services/T0/B0/hiddenToo' });
    const rows = await at.db.kysely.selectFrom('alert_channels').selectAll().execute();
    const shown = JSON.stringify([rows, await at.alerts.channels.list(at.property)]);
    for (const hidden of ['hidden-in-path', 'hiddenToo', String(secret).slice(6)])
      expect(shown).not.toContain(hidden);
    const renewed = createSecretCipher(
      'another secret of thirty-two characters!',
      'a secret of at least thirty-two characters',
    );
    const rotated = await at.again({ cipher: renewed, rotating: true });
    await rotated.forgetOld();
    const alone = await at.again({ cipher: createSecretCipher('another secret of thirty-two characters!') });
    const targets = async (of: Alerts) =>
      (await of.channels.list(at.property)).map(({ target }) => target).sort();
    expect(await targets(alone)).toEqual(['hooks.slack.com', 'ops.example']);
    await news('ClaudeBot', alone);
    expect(at.receiver.received).toHaveLength(2);
    const lost = await at.again({ cipher: createSecretCipher('a third secret, which opens nothing at all') });
    expect(await targets(lost)).toEqual([null, null]);
    await news('PerplexityBot', lost);
    expect((await sent(lost)).filter(({ error }) => error === 'unreadable')).toMatchObject([
      { ok: null, attempts: 0 },
      { ok: null, attempts: 0 },
    ]);
    // It can still be turned off, and works again with an address of its own; a webhook then gets another secret.
    const webhook =
      (await lost.channels.list(at.property)).find(({ row }) => row.type === 'webhook')?.row.id ?? '';
    expect(await lost.channels.update(at.property, 'root', webhook, { enabled: false })).toMatchObject({
      target: null,
    });
    await expect(
      lost.channels.update(at.property, 'root', webhook, { rotateSecret: true }),
    ).rejects.toMatchObject({
      code: 'invalid',
    });
    const entered = await lost.channels.update(at.property, 'root', webhook, {
      target: 'https://ops.example/again',
    });
    expect(entered.secret).toMatch(/^whsec_/);
    expect(entered.secret).not.toBe(secret);
  });

  it('are left by a node without the key to one that has it, and end as unreadable when none has for a day', async () => {
    await at.channel();
    const lost = await at.again({ cipher: createSecretCipher('a third secret, which opens nothing at all') });
    await news('ClaudeBot', lost);
    // However often it looks: no attempt is used up, and the message stays due.
    for (let pass = 0; pass < 10; pass += 1) {
      at.pass(MINUTE_MS);
      expect(await lost.dispatch()).toBe(0);
    }
    expect(logged.filter((line) => line.includes('no SECRET_KEY of this node opens'))).toHaveLength(1);
    expect(await sent(lost)).toMatchObject([{ ok: null, attempts: 0, error: 'unreadable' }]);
    expect(await at.alerts.dispatch()).toBe(1);
    expect(at.receiver.received).toHaveLength(1);
    expect(await sent()).toMatchObject([{ ok: true, attempts: 1, error: null }]);
    await news('PerplexityBot', lost);
    at.pass(DAY_MS);
    await lost.dispatch();
    expect((await sent(lost)).map(({ ok, error }) => [ok, error])).toContainEqual([false, 'unreadable']);
    expect(await at.alerts.dispatch()).toBe(0);
    expect(at.receiver.received).toHaveLength(1);
  });

  it('are gone with their property, and are kept 400 days, a thousand of each property', async () => {
    await at.channel();
    await at.channel({ everywhere: true });
    at.receiver.answer(500);
    await news('ClaudeBot');
    const [row] = await at.db.kysely.selectFrom('alerts').selectAll().execute();
    if (row === undefined) throw new Error('no alert was written down');
    const more = Array.from({ length: 1_004 }, (_, index) => ({
      ...row,
      id: `alt_${String(index).padStart(32, '0')}`,
      subject: `Bot${index}`,
      at: index < 2 ? clock.now - 401 * DAY_MS : clock.now - index,
    }));
    for (let from = 0; from < more.length; from += 200)
      await at.db.kysely
        .insertInto('alerts')
        .values(more.slice(from, from + 200))
        .execute();
    await at.alerts.forgetOld();
    const count = async (
      table: 'alerts' | 'alert_messages' | 'alert_channels' | 'alert_seen' | 'alert_watches',
    ) => (await at.db.kysely.selectFrom(table).select('organization_id').execute()).length;
    expect(await count('alerts')).toBe(1_000);
    await at.properties.delete(OURS, 'root', at.property.id);
    for (const table of ['alerts', 'alert_messages', 'alert_seen', 'alert_watches'] as const)
      expect(await count(table), table).toBe(0);
    expect(await count('alert_channels')).toBe(1);
    at.pass(HOUR_MS);
    await at.alerts.look();
    expect(at.receiver.received).toHaveLength(2);
  });
});

function recorder(into: string[]): Log {
  const note = (fields: object, message?: string) => void into.push(`${JSON.stringify(fields)} ${message}`);
  const log: Log = { debug: note, info: note, warn: note, error: note, child: () => log };
  return log;
}
