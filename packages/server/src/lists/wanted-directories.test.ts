import type { SignatureAgentKey } from '@ghostlight/core';
import { describe, expect, it } from 'vitest';
import { type Download, DownloadError, type DownloadRequest } from '../outbound/index.ts';
import { createWantedDirectories } from './wanted-directories.ts';

const MINUTE = 60_000;
const DIRECTORY = 'https://a1.agents.example/.well-known/http-message-signatures-directory';
const KEY: SignatureAgentKey = {
  kty: 'OKP',
  crv: 'Ed25519',
  x: '7F_3jDlxaquwh291MiACkcS3Opq88NksyHiakzS-Y1g',
  kid: 'otMqcjr17mGyruktGvJU8oojQTSMHlVm7uO-lrcqbdg',
};

function start() {
  const state = {
    now: 1_795_000_000_000,
    asked: [] as DownloadRequest[],
    text: JSON.stringify({ keys: [KEY] }),
  };
  const said: unknown[] = [];
  const download = (async (request: DownloadRequest) => {
    state.asked.push(request);
    if (state.text === '') throw new DownloadError('timeout');
    return { text: state.text };
  }) as unknown as Download;
  const log = {
    debug() {},
    warn() {},
    error() {},
    info: (...line: unknown[]) => void said.push(line),
    child: () => log,
  };
  const directories = createWantedDirectories({ download, clock: () => state.now, log, timeoutMs: 1_000 });
  const want = async (url = DIRECTORY, organizationId = 'one', isListed = false) => {
    directories.want(url, { organizationId, isListed });
    await directories.settled();
  };
  return { state, said, directories, want };
}

describe('a directory that a signed request named', () => {
  it('is read beside the request, without redirects, and held for a day', async () => {
    const { state, directories, want } = start();
    expect(directories.held(DIRECTORY)).toBeNull();
    await want();
    expect(state.asked).toMatchObject([{ url: DIRECTORY, redirects: 0, timeoutMs: 1_000 }]);
    expect(directories.held(DIRECTORY)).toEqual({ keys: [KEY], isFresh: true });
    // No longer fresh, it is read again when it is used; until then it stands.
    state.now += 61 * MINUTE;
    state.text = '';
    expect(directories.held(DIRECTORY)).toEqual({ keys: [KEY], isFresh: false });
    await directories.settled();
    expect(state.asked).toHaveLength(2);
    expect(directories.held(DIRECTORY)).toEqual({ keys: [KEY], isFresh: false });
    state.now += 24 * 60 * MINUTE;
    expect(directories.held(DIRECTORY)).toBeNull();
  });

  it('is asked once in five minutes, and its name is not written down', async () => {
    const { state, said, directories, want } = start();
    state.text = '';
    for (let n = 0; n < 5; n++) await want();
    expect(state.asked).toHaveLength(1);
    expect(JSON.stringify(said)).toContain('timeout');
    expect(JSON.stringify(said)).not.toContain('agents.example');
    state.now += 5 * MINUTE;
    state.text = JSON.stringify({ keys: [KEY] });
    await want();
    expect(directories.held(DIRECTORY)?.keys).toEqual([KEY]);
  });

  const url = (n: number | string) => DIRECTORY.replace('a1', `a${n}`);

  it('is one of ten new ones that are read for an organization in five minutes, and of sixteen that it holds', async () => {
    const { state, directories, want } = start();
    await want(url('other'), 'another');
    for (let n = 0; n < 20; n++) await want(url(n));
    expect(state.asked).toHaveLength(11);
    for (let turn = 1; turn <= 7; turn++) {
      state.now += 5 * MINUTE;
      for (let n = 0; n < 10; n++) await want(url(turn * 10 + n));
    }
    expect(state.asked).toHaveLength(81);
    const held = Array.from({ length: 80 }, (_, n) => n).filter((n) => directories.held(url(n)) !== null);
    expect(held).toEqual(Array.from({ length: 16 }, (_, n) => 64 + n));
    expect(directories.held(url('other'))).not.toBeNull();
  });

  it('is read whatever hosts visitors invent, where the list names it or it was read before', async () => {
    const { state, directories, want } = start();
    const [listed, known] = [url('-listed'), url('-known')];
    await want(known);
    state.text = '';
    const flood = async (from: number) => {
      for (let n = 0; n < 1_000; n++) await want(url(from + n), `organization-${n % 40}`);
    };
    state.now += 61 * MINUTE;
    await flood(0);
    const asked = state.asked.length;
    // Of invented ones there is a bound for all organizations together.
    expect(asked).toBe(1 + 50);
    state.text = JSON.stringify({ keys: [KEY] });
    await want(listed, 'one', true);
    expect(directories.held(listed)?.keys).toEqual([KEY]);
    expect(directories.held(known)?.isFresh).toBe(false);
    await directories.settled();
    expect(directories.held(known)?.isFresh).toBe(true);
    expect(state.asked).toHaveLength(asked + 2);
    // A key was changed: its directory is read again, once in five minutes.
    for (let window = 1; window <= 20; window++) {
      state.now += 5 * MINUTE;
      await flood(window * 1_000);
      const before = state.asked.length;
      for (let n = 0; n < 3; n++) await want(listed, 'one', true);
      await want(known, `organization-${window}`);
      expect(state.asked.slice(before).map(({ url: read }) => read)).toEqual([listed, known]);
    }
  });

  it('new ones of one organization leave room for those of another', async () => {
    const { state, want } = start();
    state.text = '';
    for (let n = 0; n < 100; n++) await want(url(n));
    await want(url('-other'), 'another');
    expect(state.asked.at(-1)?.url).toBe(url('-other'));
    expect(state.asked).toHaveLength(11);
  });

  it('is not read any more when the service stops', async () => {
    const { state, directories, want } = start();
    await directories.close();
    await want();
    expect(state.asked).toEqual([]);
  });
});
