/** A thread that reads uploads: what it is given here, no message can carry. */
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { isbot } from 'isbot';
import { serveUploads } from '../ingest/index.ts';
import { toRow } from '../warehouse/index.ts';

/** Where processors are few, the thread that takes requests comes first: it has about nine times the weight. */
const PRIORITY = 10;

if (parentPort !== null) {
  lowerPriority();
  serveUploads(parentPort, { isBot: isbot, toRow });
}

/** Linux alone has a priority for each thread; elsewhere this would be the whole process's. */
function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), PRIORITY);
  } catch {
    // A container may hide /proc. Then the threads share the processors as equals.
  }
}
