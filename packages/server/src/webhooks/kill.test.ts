import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { DEFAULT_ORGANIZATION_ID } from '../common/index.ts';
import { openDatabase } from '../database/index.ts';
import { silentLog } from '../database/testing.ts';
import { createProperties } from '../properties/index.ts';
import { testWebhooks } from './testing.ts';

const ROUNDS = 24;
const CHILD = fileURLToPath(new URL('./testing-child.ts', import.meta.url));

/**
 * Runs the child until it is killed at a random moment. @returns what it had answered by then
 * @param from the moment that it is counted from: on a slow machine nothing may be answered soon after the start
 */
async function killedRound(words: readonly string[], from: 'start' | 'first answer'): Promise<string[]> {
  const child = spawn(process.execPath, [CHILD, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (from === 'start' ? said.startsWith('ready\n') : said.includes('\nack ')) resolve();
    });
    child.once('close', () => reject(new Error(`The child ended by itself: ${said}`)));
  });
  await ready;
  const closed = once(child, 'close');
  await sleep(5 + Math.random() * 120);
  child.kill('SIGKILL');
  await closed;
  // What was cut in the pipe was never answered.
  const lines = said.slice(0, said.lastIndexOf('\n')).split('\n');
  return lines.filter((line) => line.startsWith('ack ')).map((line) => line.slice(4));
}

it(`keeps of each conversion everything or nothing over ${ROUNDS} kills`, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ghostlight-webhooks-'));
  const open = () => openDatabase({ url: null, dataDir, log: silentLog });
  try {
    const before = await open();
    const property = await createProperties(before, { clock: Date.now }).create(
      { kind: 'organization', id: DEFAULT_ORGANIZATION_ID },
      'root',
      { name: 'Shop', domain: 'shop.example' },
    );
    const webhooks = testWebhooks(before, { clock: Date.now, log: silentLog });
    await webhooks.settings.update(property, 'root', { enabled: true });
    const { key } = await webhooks.keys.issue(property, 'root', { name: 'Shop', rateLimit: 100_000 });
    await webhooks.close();
    await before.close();

    const answered: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      answered.push(
        ...(await killedRound(
          [dataDir, property.id, key, String(round)],
          round % 2 === 0 ? 'start' : 'first answer',
        )),
      );

    const after = await open();
    const conversions = await after.reader.selectFrom('conversions').selectAll().execute();
    const stored = new Set(conversions.map(({ id }) => id));
    expect(answered.length).toBeGreaterThanOrEqual(ROUNDS / 2);
    expect(answered.filter((id) => !stored.has(id))).toEqual([]);
    const deliveries = await after.reader
      .selectFrom('audit_log')
      .select('subject')
      .where('action', '=', 'delivery')
      .execute();
    expect(deliveries.map(({ subject }) => subject).sort()).toEqual([...stored].sort());
    const shown = await after.reader.selectFrom('webhook_requests').select('conversion_row').execute();
    expect(shown.filter(({ conversion_row: row }) => !stored.has(row ?? ''))).toEqual([]);
    // Half of a conversion would be one without its match, or a refund without its purchase.
    const half = conversions.filter(
      ({ session_matched, winner, purchase_row, topic, value }) =>
        session_matched !== 1 ||
        winner === null ||
        value !== '1' ||
        (topic === 'refund') !== (purchase_row !== null),
    );
    expect(half).toEqual([]);
    await after.close();
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});
