import { expect, it, vi } from 'vitest';
import { type Warehouse, WarehouseUnavailable } from '../warehouse/index.ts';
import { openTestWarehouse, silent } from '../warehouse/testing/warehouse.ts';
import { type GateOptions, gateWarehouse } from './warehouse-gate.ts';

class Final extends Error {}
const away = () => Promise.reject(Object.assign(new Error('no'), { code: 'ECONNREFUSED' }));
const answers = async () => {};

/** A warehouse of which only the gate's own questions are asked. */
function gateOver(ping: () => Promise<void>, migrate: GateOptions['migrate'] = answers) {
  const inner = { ping, rows: async () => [{ n: 1 }], migrate } as unknown as Warehouse;
  return gateWarehouse(inner, {
    migrate,
    isFinal: (error) => error instanceof Final,
    log: silent,
    backoffMs: { first: 1, longest: 5 },
  });
}
const ask = (warehouse: Warehouse) => warehouse.rows('live', { sql: 'SELECT 1' });

it('a start goes on without a warehouse that is down, and questions say so until it is back and its tables are of this version', async () => {
  let ping: () => Promise<void> = away;
  const migrate = vi.fn(answers);
  const gate = gateOver(() => ping(), migrate);
  await gate.openWhenBack(20);
  await expect(ask(gate.warehouse)).rejects.toThrow(WarehouseUnavailable);
  await expect(gate.warehouse.ping()).rejects.toThrow(
    /has not answered since the service started \(ECONNREFUSED\)/,
  );
  expect(migrate).not.toHaveBeenCalled();
  ping = answers;
  await expect.poll(() => ask(gate.warehouse).catch(() => null)).toEqual([{ n: 1 }]);
  expect(migrate).toHaveBeenCalledTimes(1);
  await gate.warehouse.ping();
});

it('no statement meets tables that could not be brought to this version', async () => {
  let fails = true;
  const gate = gateOver(answers, () => (fails ? Promise.reject(new Error('a replica is down')) : answers()));
  await gate.openWhenBack(20);
  await expect(ask(gate.warehouse)).rejects.toThrow(WarehouseUnavailable);
  fails = false;
  await expect.poll(() => ask(gate.warehouse).catch(() => null)).toEqual([{ n: 1 }]);
});

it('a start ends with an error that no later attempt will fix; found later, queries fail with it', async () => {
  await expect(gateOver(() => Promise.reject(new Final('too new'))).openWhenBack(5_000)).rejects.toThrow(
    'too new',
  );
  let ping: () => Promise<void> = away;
  const late = gateOver(() => ping());
  await late.openWhenBack(5);
  ping = () => Promise.reject(new Final('too new'));
  await late.stopped();
  await expect(ask(late.warehouse)).rejects.toThrow('too new');
});

it('a stop ends the attempts', async () => {
  const ping = vi.fn(away);
  const gate = gateOver(ping);
  await gate.openWhenBack(5);
  gate.stop();
  await gate.stopped();
  const count = ping.mock.calls.length;
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(ping).toHaveBeenCalledTimes(count);
});

it('a start that has nothing to change makes no statement but questions', async () => {
  const test = await openTestWarehouse();
  const { migrate } = await import('../warehouse/schema/migrate.ts');
  try {
    const command = vi.fn(test.warehouse.command);
    await migrate({ ...test.warehouse, command }, { cluster: 'c' }, 18_250, silent);
    expect(command).not.toHaveBeenCalled();
    await test.warehouse.command({ sql: `INSERT INTO schema_migrations VALUES (9999, 'later', now64(3))` });
    await expect(test.warehouse.migrate()).rejects.toThrow(/newer Ghostlight \(step 9999/);
  } finally {
    await test.close();
  }
});
