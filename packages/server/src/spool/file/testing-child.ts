/** A process to be killed: owns a spool, ships into a file, and says on standard output what was acknowledged. */

import { flushCompileCache } from 'node:module';
import { entry, row, silent } from '../testing.ts';
import { openSpool } from './open.ts';
import { FileSink } from './testing-file-sink.ts';

const [directory = '', sinkPath = '', round = '0'] = process.argv.slice(2);
const spool = await openSpool({ directory, maxBytes: 1e9, clock: Date.now, log: silent });
spool.startShipper(new FileSink(sinkPath), { gatherMs: 5, backoffMs: { first: 5, longest: 20 } });
// What Node has compiled it writes when a process ends in order, which this one never does: each round would compile all of it again.
flushCompileCache();
process.stdout.write('ready\n');

async function appendForEver(lane: number): Promise<void> {
  for (let n = 0; ; n += 1) {
    const id = `${round}-${lane}-${n}`;
    await spool.append(
      entry([row(id), row(`${id}b`, { dedupKey: id, month: n % 2 === 0 ? '202611' : '202610' })]),
    );
    process.stdout.write(`ack ${id} ${id}b\n`);
  }
}

async function uploadForEver(lane: number): Promise<void> {
  for (let n = 0; ; n += 1) {
    const upload = spool.openUpload('edge_logpush');
    const ids = Array.from({ length: 700 }, (_, line) => `${round}-u${lane}-${n}-${line}`);
    await upload.stage(ids.map((id) => row(id, { dedupKey: id })));
    if (n % 3 === 2) {
      await upload.abort();
      continue;
    }
    const { rows: _, ...tally } = entry([], { endpoint: 'edge_logpush', received: ids.length });
    await upload.commit(tally, { scope: 'key', hex: `${round}-${lane}-${n}` });
    process.stdout.write(`ack ${ids.join(' ')}\n`);
  }
}

await Promise.all([0, 1, 2, 3, 4, 5].map(appendForEver).concat([uploadForEver(0)]));
