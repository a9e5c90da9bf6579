/**
 * `npm run crash -- --rounds 300`: the crash tests at length, with their figures; `--only damage`, `hits`, `nodes`, `conversions` or
 * `forwarding` runs one. Exits 1 when
 * anything that was acknowledged was lost, doubled or left half-written.
 */
import { parseArgs } from 'node:util';
import { conversionCrashRounds } from './conversion-rounds.ts';
import { damageRounds } from './damage-rounds.ts';
import { forwardingCrashRounds } from './forwarding-rounds.ts';
import { nodeRounds } from './node-rounds.ts';
import { crashRounds } from './rounds.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '300' }, only: { type: 'string', default: '' } },
});
const rounds = Number(values.rounds);
const wanted = (name: string) => values.only === '' || values.only === name;
const seconds = (since: number) => Math.round((Date.now() - since) / 1_000);
const say = (round: number, what: string) =>
  void process.stdout.write(`\rround ${round} of ${rounds}, ${what} acknowledged `);

if (wanted('damage')) {
  const seed = Date.now() % 1_000_000;
  const { told, lostRows, refused, faults } = damageRounds(rounds, seed);
  console.log(
    `${rounds} damages (seed ${seed}): ${told} reported, ${lostRows} rows lost and counted, ${refused} starts refused, ${faults.length} faults`,
  );
  for (const fault of faults) console.log(fault);
  if (faults.length > 0) process.exitCode = 1;
}
if (wanted('hits')) {
  const started = Date.now();
  const report = await crashRounds(rounds, (round, hits) => say(round, `${hits} hits`));
  console.log(
    `\n${report.rounds} kills and ${report.warehouseKills} of the warehouse alone in ${seconds(started)} s: ${report.acknowledged} hits acknowledged, ` +
      `${report.stored} stored, ${report.lost.length} lost, ${report.doubled.length} doubled`,
  );
  if (report.lost.length + report.doubled.length > 0) process.exitCode = 1;
}
if (wanted('nodes')) {
  const started = Date.now();
  const report = await nodeRounds(rounds, (round, hits) => say(round, `${hits} hits`));
  console.log(
    `\n${report.rounds} nodes killed and removed with their disks in ${seconds(started)} s: ${report.acknowledged} hits acknowledged, ` +
      `${report.stored} stored, ${report.lost.length} lost, ${report.doubled.length} doubled`,
  );
  if (report.lost.length + report.doubled.length > 0) process.exitCode = 1;
}
if (wanted('conversions')) {
  const started = Date.now();
  const report = await conversionCrashRounds(rounds, (round, count) => say(round, `${count} conversions`));
  console.log(
    `\n${report.rounds} kills in ${seconds(started)} s: ${report.events} events and ${report.conversions} conversions acknowledged, ` +
      `${report.late} of these before their visit was known, ${report.faults.length} faults`,
  );
  for (const fault of report.faults.slice(0, 20)) console.log(fault);
  if (report.faults.length > 0) process.exitCode = 1;
}
if (wanted('forwarding')) {
  const started = Date.now();
  const report = await forwardingCrashRounds(rounds, (round, count) => say(round, `${count} conversions`));
  console.log(
    `\n${report.rounds} kills in ${seconds(started)} s: ${report.conversions} conversions acknowledged, ${report.deliveries} deliveries, ` +
      `${report.absorbed} repeated and taken once, ${report.unknown} in doubt at a platform that takes none twice, ${report.faults.length} faults`,
  );
  for (const fault of report.faults.slice(0, 20)) console.log(fault);
  if (report.faults.length > 0) process.exitCode = 1;
}
