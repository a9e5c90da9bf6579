/** `npm run crash -- --rounds 300`: the crash test at length, with its figures. Exits 1 when a hit was lost or doubled. */
import { parseArgs } from 'node:util';
import { crashRounds } from './rounds.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '300' } } });
const rounds = Number(values.rounds);
const started = Date.now();
const report = await crashRounds(rounds, (round, acknowledged) => {
  process.stdout.write(`\rround ${round} of ${rounds}, ${acknowledged} hits acknowledged `);
});
console.log(
  `\n${report.rounds} kills and ${report.warehouseKills} of the warehouse alone in ${Math.round((Date.now() - started) / 1_000)} s: ${report.acknowledged} hits acknowledged, ` +
    `${report.stored} stored, ${report.lost.length} lost, ${report.doubled.length} doubled`,
);
if (report.lost.length + report.doubled.length > 0) process.exitCode = 1;
