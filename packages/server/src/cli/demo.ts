/**
 * `ghostlight demo`: the whole service with a property and a key already made, fed through both real endpoints by a recorded ten
 * minutes of traffic with the time of the day, again and again until it is stopped.
 */
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Config } from '../config.ts';
import type { Service } from '../service.ts';
import type { Command } from './command.ts';
import { runService } from './serve.ts';

const TRAFFIC = new URL('../../demo/traffic.ndjson', import.meta.url);
/** A log push job uploads batches; this is ours, shorter than a real one so that the demo moves. */
const LOGPUSH_INTERVAL_MS = 5_000;
const PROPERTY = { name: 'Demo shop', domain: 'shop.example' };

type Recorded =
  | { at: number; via: 'edge_worker'; hit: Record<string, unknown> }
  | { at: number; via: 'edge_logpush'; line: Record<string, unknown> };

export const demo: Command = {
  name: 'demo',
  usage: '',
  summary: 'start with a demo property and replay realistic traffic into it',
  async run({ config, print }) {
    // A directory of its own: demo hits must never stand among real ones.
    const demoConfig: Config = { ...config, dataDir: join(config.dataDir, 'demo') };
    await runService(demoConfig, print, async (service, stopped) => {
      const property = await demoProperty(service);
      const key = await demoKey(service, property, join(demoConfig.dataDir, 'demo-key'));
      print(`Replaying traffic into "${PROPERTY.name}" (${property}). Stop with Ctrl+C.`);
      void replay(service.address, property, key, stopped).catch((error: unknown) => {
        if (!stopped.aborted)
          print(`The replay stopped: ${error instanceof Error ? error.message : String(error)}`);
      });
    });
  },
};

async function call(service: Service, method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await service.fetch(
    new Request(`${service.address}${path}`, {
      method,
      headers: { Authorization: `Bearer ${service.adminToken}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
  if (!response.ok)
    throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  return await response.json();
}

async function demoProperty(service: Service): Promise<string> {
  const { items } = (await call(service, 'GET', '/api/v1/properties')) as {
    items: { id: string; name: string }[];
  };
  const existing = items.find(({ name }) => name === PROPERTY.name);
  return existing?.id ?? ((await call(service, 'POST', '/api/v1/properties', PROPERTY)) as { id: string }).id;
}

/** A key can't be read back, so the demo's is kept beside its data: starts that each issued one would fill the list of keys. */
async function demoKey(service: Service, property: string, file: string): Promise<string> {
  const kept = await readFile(file, 'utf8').catch(() => '');
  if (kept !== '' && (await accepts(service, kept))) return kept;
  const body = { name: 'Demo replay', provider: 'edge_worker', attribution_id: property };
  const { key } = (await call(service, 'POST', '/api/v1/ingest-keys', body)) as { key: string };
  await writeFile(file, key, { mode: 0o600 });
  return key;
}

async function accepts({ address }: Service, key: string): Promise<boolean> {
  const headers = { 'X-API-Key': key };
  return (await fetch(`${address}/v1/logs/edge_worker`, { method: 'POST', headers, body: '[]' })).ok;
}

async function replay(address: string, property: string, key: string, stopped: AbortSignal): Promise<void> {
  const events = (await readFile(TRAFFIC, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Recorded);
  let lines: string[] = [];
  let uploadAt = Date.now() + LOGPUSH_INTERVAL_MS;
  while (!stopped.aborted) {
    const start = Date.now();
    for (const event of events) {
      const wait = start + event.at - Date.now();
      if (wait > 0) await sleep(wait, undefined, { signal: stopped });
      if (event.via === 'edge_worker') await post(address, key, event.hit, stopped);
      else
        lines.push(
          JSON.stringify({ EdgeStartTimestamp: new Date().toISOString(), RayID: ray(), ...event.line }),
        );
      if (Date.now() >= uploadAt && lines.length > 0) {
        await upload(address, property, key, lines, stopped);
        lines = [];
        uploadAt = Date.now() + LOGPUSH_INTERVAL_MS;
      }
    }
  }
}

async function post(
  address: string,
  key: string,
  hit: Record<string, unknown>,
  signal: AbortSignal,
): Promise<void> {
  const response = await fetch(`${address}/v1/logs/edge_worker`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify([{ timestamp: Date.now(), ...hit, ray_id: ray() }]),
    signal,
  });
  await response.body?.cancel();
}

async function upload(
  address: string,
  property: string,
  key: string,
  lines: string[],
  signal: AbortSignal,
): Promise<void> {
  const query = new URLSearchParams({ 'header_X-API-Key': key, attribution_id: property });
  const response = await fetch(`${address}/v1/logs/edge_logpush?${query}`, {
    method: 'POST',
    body: gzipSync(`${lines.join('\n')}\n`),
    signal,
  });
  await response.body?.cancel();
}

function ray(): string {
  return randomUUID().replaceAll('-', '').slice(0, 16);
}
