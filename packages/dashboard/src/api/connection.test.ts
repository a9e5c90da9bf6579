import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type Connection, createConnection } from './connection.ts';

let isUp: boolean;
let now: number;
let timers: { run: () => void; ms: number }[];
let probes: number;
let connection: Connection;
beforeEach(() => {
  [isUp, now, timers, probes] = [true, 1_000, [], 0];
  connection = createConnection({
    probe: async () => {
      probes += 1;
      return isUp;
    },
    now: () => now,
    later(ms, run) {
      const timer = { run, ms };
      timers.push(timer);
      return () => {
        timers = timers.filter((one) => one !== timer);
      };
    },
  });
});
const settled = () => new Promise((resolve) => setImmediate(resolve));
const tick = async () => {
  const due = timers;
  timers = [];
  now += 2_000;
  for (const { run } of due) run();
  await settled();
};
const goAway = async () => {
  isUp = false;
  connection.noteSilence();
  await settled();
};

describe('the connection', () => {
  it('is known to be down once a second request met silence too, and asks until it is back, once at a time', async () => {
    const returned = vi.fn();
    connection.onReturn(returned);
    connection.noteSilence();
    await settled();
    expect(connection.state().awaySince).toBe(null);
    expect(returned).not.toHaveBeenCalled();
    await goAway();
    expect(connection.state().awaySince).toBe(1_000);
    for (let n = 0; n < 5; n += 1) connection.noteSilence();
    await settled();
    expect(timers).toHaveLength(1);
    await tick();
    await tick();
    expect(connection.state().awaySince).toBe(1_000);
    isUp = true;
    await tick();
    expect(connection.state()).toMatchObject({ awaySince: null, answeredAt: now });
    expect(returned).toHaveBeenCalledTimes(1);
    expect(timers).toHaveLength(0);
  });

  it('is back with any answer, and keeps its state object while nothing that is shown changes', async () => {
    const shown = vi.fn();
    connection.subscribe(shown);
    connection.noteAnswer();
    connection.noteAnswer();
    expect(shown).not.toHaveBeenCalled();
    await goAway();
    expect(shown).toHaveBeenCalledTimes(1);
    connection.noteAnswer();
    expect(connection.state().awaySince).toBe(null);
    expect(timers).toHaveLength(0);
  });

  it('holds changes while a person can see it, and lets them go when it is back', async () => {
    await goAway();
    expect(await connection.untilBack()).toBe(false);
    const leave = connection.watch();
    const held = [connection.untilBack(), connection.untilBack()];
    expect(connection.state().kept).toBe(2);
    await settled();
    isUp = true;
    await tick();
    expect(await Promise.all(held)).toEqual([true, true]);
    expect(connection.state().kept).toBe(0);
    await goAway();
    const left = connection.untilBack();
    leave();
    expect(await left).toBe(false);
  });

  it('gives changes back to a person who does not want to wait, and holds no more than twenty', async () => {
    await goAway();
    connection.watch();
    const held = Array.from({ length: 25 }, () => connection.untilBack());
    expect(connection.state().kept).toBe(20);
    connection.giveBack();
    expect(new Set(await Promise.all(held))).toEqual(new Set([false]));
    expect(connection.state()).toMatchObject({ kept: 0, awaySince: 1_000 });
    expect(probes).toBeLessThan(5);
  });
});
