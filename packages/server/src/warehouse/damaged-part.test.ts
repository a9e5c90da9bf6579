/** A part of the embedded engine whose bytes changed on the disk: the export ends with a sentence, and readiness names table and part. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { exportHits, hitSink, openWarehouse, type Warehouse } from './index.ts';
import {
  makeBatch,
  makeHit,
  NOON,
  newScope,
  openTestWarehouse,
  silent,
  type TestWarehouse,
} from './testing/warehouse.ts';

let home: TestWarehouse;
let again: Warehouse | undefined;
afterEach(async () => {
  await again?.close();
  await home.close();
});

/** The values of the parts' columns. `data/` holds links into `store/`: through both a byte would be flipped twice, which is not at all. */
function dataFiles(directory: string): string[] {
  return (readdirSync(directory, { recursive: true }) as string[])
    .map((name) => join(directory, name))
    .filter((path) => /\/store\/.*\/\d{6}_\d+_\d+_\d+\/data\.bin$/.test(path) && statSync(path).size > 0);
}

it('is reported to the reader and by readiness once the engine reads it from the disk', async () => {
  home = await openTestWarehouse();
  const scope = newScope();
  const hits = Array.from({ length: 2_000 }, (_, n) => makeHit(scope, { path: `/page/${n}/${Math.sin(n)}` }));
  await hitSink(home.warehouse).insert(makeBatch(hits));
  // What the engine has in its caches would still be answered.
  await home.warehouse.close();
  const files = dataFiles(home.dataDir);
  expect(files).toHaveLength(1);
  for (const file of files) {
    const bytes = readFileSync(file);
    const middle = Math.floor(bytes.length / 2);
    bytes.writeUInt8(bytes.readUInt8(middle) ^ 0xff, middle);
    writeFileSync(file, bytes);
  }
  again = await openWarehouse({
    url: null,
    dataDir: home.dataDir,
    retentionDays: 18_250,
    log: silent,
    clock: Date.now,
  });
  await again.migrate();
  const exported = Array.fromAsync(exportHits(again, scope, { from: NOON - 1, to: NOON + 1 } as never));
  await expect(exported).rejects.toThrow(
    /can’t read the part \d{6}_\d+_\d+_\d+ of the table hits: its files are damaged/,
  );
  await expect(again.ping()).rejects.toThrow(/part \d{6}_\d+_\d+_\d+ of the table hits/);
});
