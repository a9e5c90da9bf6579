/** Writes the types of the management API for the dashboard: `npm run types`. They are made of the document that the service answers. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeApi } from '../src/composition/describe-api.ts';
import { type ApiDocument, apiTypes } from './api-types.ts';

const FILE = fileURLToPath(new URL('../../dashboard/src/api/schema.gen.ts', import.meta.url));

const text = apiTypes((await describeApi()) as ApiDocument);
mkdirSync(dirname(FILE), { recursive: true });
if (read() !== text) writeFileSync(FILE, text);

/** The existing file; one with the same content keeps its time, so nothing is rebuilt for it. */
function read(): string | null {
  try {
    return readFileSync(FILE, 'utf8');
  } catch {
    return null;
  }
}
