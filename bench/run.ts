/** `npm run bench`: measures every figure that we quote and prints it beside its target. `npm run bench -- visible` runs one. */
import { backup } from './backup.ts';
import { classification } from './classification.ts';
import { collector } from './collector.ts';
import { cycles } from './cycles.ts';
import { forwarding } from './forwarding.ts';
import type { Figure } from './harness.ts';
import { hostileConnections } from './hostile-connections.ts';
import { hostileUpload } from './hostile-upload.ts';
import { importing } from './import.ts';
import { logFormats } from './log-formats.ts';
import { logpush } from './logpush.ts';
import { move } from './move.ts';
import { node } from './node.ts';
import { reports } from './reports.ts';
import { spool } from './spool.ts';
import { start } from './start.ts';
import { steps } from './steps.ts';
import { tail } from './tail.ts';
import { visible } from './visible.ts';
import { vitals } from './vitals.ts';
import { webhooks } from './webhooks.ts';
import { workerPosts } from './worker-posts.ts';
import { wrongKeys } from './wrong-keys.ts';

const BENCHES: Readonly<Record<string, () => Promise<Figure[]>>> = {
  classification,
  cycles,
  workerPosts,
  spool,
  steps,
  logpush,
  logFormats,
  tail,
  import: importing,
  move,
  node,
  visible,
  collector,
  webhooks,
  wrongKeys,
  forwarding,
  reports,
  vitals,
  start,
  backup,
  'hostile-upload': hostileUpload,
  'hostile-connections': hostileConnections,
};

const wanted = process.argv.slice(2);
const names = Object.keys(BENCHES).filter((name) => wanted.length === 0 || wanted.includes(name));
if (names.length === 0) {
  console.error(
    `There is no benchmark named ${wanted.join(', ')}; there are ${Object.keys(BENCHES).join(', ')}.`,
  );
  process.exit(2);
}
const figures: Figure[] = [];
for (const name of names) {
  process.stderr.write(`measuring ${name} …\n`);
  figures.push(...((await BENCHES[name]?.()) ?? []));
}
if (figures.length > 0) console.log('| what | measured | target | holds |\n|---|---|---|---|');
for (const { what, measured, target, holds } of figures) {
  console.log(`| ${what} | ${measured} | ${target} | ${holds ? 'yes' : 'no'} |`);
}
