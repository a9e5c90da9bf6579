/**
 * `node tests/cluster/run.ts --rounds 200`: two nodes on a played pair of replicas, at length. Exits 1 when a row was lost or doubled.
 * `--seed` repeats the faults of a run; the moments at which they strike are the machine's.
 */
import { parseArgs } from 'node:util';
import { clusterRounds } from '../../packages/server/src/warehouse/testing/cluster-rounds.ts';
import { seededRandom } from '../harness/random.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '200' },
    seed: { type: 'string', default: String(Date.now() % 1e9) },
  },
});
const rounds = Number(values.rounds);
const { below } = seededRandom(Number(values.seed));
const started = Date.now();
const report = await clusterRounds(
  rounds,
  () => below(1_000_000) / 1_000_000,
  (round, rows) => {
    process.stdout.write(`\rround ${round} of ${rounds}, ${rows} rows acknowledged `);
  },
);
const struck = Object.entries(report.struck).map(([name, count]) => `${count} ${name}`);
console.log(
  `\n${rounds} rounds in ${Math.round((Date.now() - started) / 1_000)} s (seed ${values.seed}): ${report.acknowledged} rows acknowledged by two nodes, ` +
    `${report.lost} lost, ${report.doubled} doubled over both replicas; ${struck.join(', ')}`,
);
if (report.lost + report.doubled > 0) process.exitCode = 1;
