import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../config.ts';
import { connect, refusal } from './client.ts';

const problem = { detail: 'Try again.', request_id: 'abc-1' };

it('names the request by which the log is searched where the service failed, and only there', () => {
  expect(refusal(problem, 500)).toBe('Try again.\n  request id: abc-1');
  expect(refusal(problem, 503)).toBe('Try again.\n  request id: abc-1');
  expect(refusal({ ...problem, errors: [{ pointer: '/name', message: 'Too long.' }] }, 422)).toBe(
    'Try again.\n  /name: Too long.',
  );
  expect(refusal({ detail: 'Try again.' }, 500)).toBe('Try again.');
  expect(refusal(null, 502)).toBe('The service answered 502.');
});

it('makes no installation for a command that only reads', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ghostlight-client-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const config = readConfig({ DATA_DIR: dataDir }, tmpdir());
  await expect(connect(config, 'GET')).rejects.toThrow(
    `There is no installation in ${dataDir}. Set DATA_DIR`,
  );
  expect(readdirSync(dataDir)).toEqual([]);
});
