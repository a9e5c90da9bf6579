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
  const want = async (url = DIRECTORY) => {
    directories.want(url);
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

  it('is one of ten that are read in five minutes, and of sixty-four that are held', async () => {
    const { state, directories, want } = start();
    const url = (n: number) => DIRECTORY.replace('a1', `a${n}`);
    for (let n = 0; n < 20; n++) await want(url(n));
    expect(state.asked).toHaveLength(10);
    for (let turn = 1; turn <= 7; turn++) {
      state.now += 5 * MINUTE;
      for (let n = 0; n < 10; n++) await want(url(turn * 10 + n));
    }
    expect(state.asked).toHaveLength(80);
    expect(directories.held(url(0))).toBeNull();
    expect(directories.held(url(79))).not.toBeNull();
  });

  it('is not read any more when the service stops', async () => {
    const { state, directories, want } = start();
    await directories.close();
    await want();
    expect(state.asked).toEqual([]);
  });
});
