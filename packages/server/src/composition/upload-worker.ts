/** A thread that reads large bodies: what it is given here, no message can carry. */
import { parentPort } from 'node:worker_threads';
import { isbot } from 'isbot';
import { serveUploads } from '../ingest/index.ts';
import { toRow } from '../warehouse/index.ts';

if (parentPort !== null) serveUploads(parentPort, { isBot: isbot, toRow });
