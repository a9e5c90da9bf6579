/** A process that opens a warehouse, says its child's pid, and waits to be killed. Argument: the data directory. */
import { openWarehouse } from '../index.ts';
import { silent } from './warehouse.ts';

const warehouse = await openWarehouse({
  url: null,
  dataDir: process.argv[2] ?? '',
  retentionDays: 400,
  log: silent,
  clock: Date.now,
});
process.send?.({ child: warehouse.pid() });
