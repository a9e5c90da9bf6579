/** What the demo needs in the service, made through the API as a user would: a property, an ingest key, a published manifest. */
import { readFile, writeFile } from 'node:fs/promises';
import type { Service } from '../../service.ts';
import { call } from './management.ts';
import { HOST } from './shop.ts';
import { TOOLS } from './tools.ts';

/** Its name says what it is, wherever it stands. Its days are those in which its past is written. */
export const PROPERTY = { name: 'Demo shop', domain: HOST, time_zone: 'UTC' };

export interface Account {
  /** The attribution ID. */
  readonly property: string;
  readonly key: string;
  /** Why no manifest is published; null when one is. */
  readonly manifestProblem: string | null;
}

/** @param keyFile where the key is kept between starts  @throws when the service refuses something */
export async function openAccount(service: Service, keyFile: string): Promise<Account> {
  const property = await propertyOf(service);
  const key = await keyOf(service, property, keyFile);
  return { property, key, manifestProblem: await publishTools(service, property) };
}

async function propertyOf(service: Service): Promise<string> {
  const { items } = (await call(service, 'GET', '/properties')) as {
    items: { id: string; name: string }[];
  };
  const existing = items.find(({ name }) => name === PROPERTY.name);
  return existing?.id ?? ((await call(service, 'POST', '/properties', PROPERTY)) as { id: string }).id;
}

/** A key can't be read back, so the demo's is kept beside its data: starts that each issued one would fill the list of keys. */
async function keyOf(service: Service, property: string, file: string): Promise<string> {
  const kept = await readFile(file, 'utf8').catch(() => '');
  if (kept !== '' && (await accepts(service, kept))) return kept;
  const body = { name: 'Demo replay', provider: 'edge_worker', attribution_id: property };
  const { key } = (await call(service, 'POST', '/ingest-keys', body)) as { key: string };
  await writeFile(file, key, { mode: 0o600 });
  return key;
}

async function accepts({ address }: Service, key: string): Promise<boolean> {
  const headers = { 'X-API-Key': key };
  return (await fetch(`${address}/v1/logs/edge_worker`, { method: 'POST', headers, body: '[]' })).ok;
}

/** Leaves alone what the user has published since. */
async function publishTools(service: Service, property: string): Promise<string | null> {
  const path = `/properties/${property}/webmcp`;
  const manifest = (await call(service, 'GET', path)) as { state: string; issuer_problem: string | null };
  if (manifest.issuer_problem !== null) return manifest.issuer_problem;
  if (manifest.state === 'unpublished') await call(service, 'PUT', path, { hosts: [HOST], tools: TOOLS });
  return null;
}
