/** A process to be killed: takes conversions over a state database on disk, and says on standard output which it answered. */

import { flushCompileCache } from 'node:module';
import type { Log } from '../common/index.ts';
import { openDatabase } from '../database/index.ts';
import { testRequest, testSessions, testWebhooks } from './testing.ts';

const silent: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silent,
};
const [dataDir = '', attributionId = '', key = '', round = '0'] = process.argv.slice(2);
const database = await openDatabase({ url: null, dataDir, log: silent });
const matching = testSessions();
matching.visit('v', { at: Date.now() - 1_000 });
const webhooks = testWebhooks(database, {
  clock: Date.now,
  log: silent,
  matching,
  // Stands for the deliveries: one row per conversion, or none of either.
  onConversion: async (trx, { id, organization_id }) => {
    await trx
      .insertInto('audit_log')
      .values({ id, organization_id, at: 0, actor: 'kill', action: 'delivery', subject: id })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
  },
});
// What Node has compiled it writes when a process ends in order, which this one never does: each round would compile all of it again.
flushCompileCache();
process.stdout.write('ready\n');

async function postForEver(lane: number): Promise<void> {
  for (let n = 0; ; n += 1) {
    const order = { conversion_id: `${round}-${lane}-${n}`, value: 1, currency: 'EUR', visitor_id: 'v' };
    const { body } = await webhooks.receive(testRequest(attributionId, 'purchase', key, order));
    process.stdout.write(`ack ${body.id}\n`);
    const refund = { conversion_id: order.conversion_id, refund_id: `r${order.conversion_id}` };
    const refunded = await webhooks.receive(testRequest(attributionId, 'refund', key, refund));
    process.stdout.write(`ack ${refunded.body.id}\n`);
  }
}
await Promise.all([0, 1, 2, 3].map(postForEver));
