/** The thread of the harness: its rows are the hits themselves. */
import { parentPort } from 'node:worker_threads';
import { isbot } from 'isbot';
import { serveUploads } from '../workers/serve.ts';

if (parentPort !== null) serveUploads(parentPort, { isBot: isbot, toRow: (hit) => JSON.stringify(hit) });
