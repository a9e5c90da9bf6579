import { describe, expect, it, vi } from 'vitest';
import { createFileAnswers, type FileFormat } from './index.ts';

const request = (method = 'GET', signal = new AbortController().signal) => ({ method, signal });

/** Pieces without an end, and what became of them. */
function endless() {
  const seen = { made: 0, ended: false };
  return {
    seen,
    async *pieces(signal: AbortSignal) {
      signal.addEventListener('abort', () => {
        seen.ended = true;
      });
      for (;;) {
        seen.made += 1;
        yield 'x\n';
      }
    },
  };
}

async function* few(): AsyncGenerator<string> {
  yield 'a\n';
  yield 'b\n';
}

describe('a file as an answer', () => {
  it('is whole, and its place is free again', async () => {
    const answer = createFileAnswers({ maxFiles: 1 });
    for (let turn = 0; turn < 3; turn += 1) {
      const response = await answer({ request: request(), name: 'bots', format: 'csv', pieces: few });
      expect(response.headers.get('Content-Disposition')).toBe('attachment; filename="bots.csv"');
      expect(await response.text()).toBe('a\nb\n');
    }
  });

  it('asked for with HEAD is its headers, takes no place and asks nothing', async () => {
    const answer = createFileAnswers({ maxFiles: 1 });
    const { seen, pieces } = endless();
    for (let turn = 0; turn < 5; turn += 1) {
      const response = await answer({ request: request('HEAD'), name: 'bots', format: 'ndjson', pieces });
      expect(response.headers.get('Content-Type')).toContain('ndjson');
      expect(response.body).toBeNull();
    }
    expect(seen.made).toBe(0);
  });

  it('waits for no slot: a request while all are taken gets an error', async () => {
    const answer = createFileAnswers({ maxFiles: 1 });
    const { pieces } = endless();
    const one = await answer({ request: request(), name: 'bots', format: 'csv', pieces });
    const again = answer({ request: request(), name: 'bots', format: 'csv', pieces });
    await expect(again).rejects.toMatchObject({ code: 'unavailable' });
    await one.body?.cancel();
  });

  it('ends with its reader, whether that leaves while it is read, before, or without a word', async () => {
    vi.useFakeTimers();
    try {
      const answer = createFileAnswers({ maxFiles: 1, maxPauseMs: 1_000 });
      const left = new AbortController();
      const ways: ((response: Response) => unknown)[] = [
        (response) => response.body?.cancel(),
        () => left.abort(),
        () => vi.advanceTimersByTimeAsync(1_001),
      ];
      for (const leave of ways) {
        const { seen, pieces } = endless();
        const asked = request('GET', leave === ways[1] ? left.signal : undefined);
        const response = await answer({ request: asked, name: 'bots', format: 'csv', pieces });
        expect(seen.ended).toBe(false);
        await leave(response);
        expect(seen.ended).toBe(true);
      }
      const gone = request('GET', AbortSignal.abort());
      const late = await answer({ request: gone, name: 'bots', format: 'csv', pieces: few });
      // Its reader has gone: an error would only be printed.
      expect(await late.text()).toBe('');
      const last = await answer({ request: request(), name: 'bots', format: 'csv', pieces: few });
      expect(await last.text()).toBe('a\nb\n');
    } finally {
      vi.useRealTimers();
    }
  });

  it('gives its place back when its beginning fails, and throws what failed', async () => {
    const answer = createFileAnswers({ maxFiles: 1 });
    const failing = async function* (): AsyncGenerator<string> {
      yield await Promise.reject(new Error('away'));
    };
    for (let turn = 0; turn < 2; turn += 1)
      await expect(
        answer({ request: request(), name: 'bots', format: 'csv', pieces: failing }),
      ).rejects.toThrow('away');
  });

  it.each<[FileFormat, RegExp]>([
    ['csv', /^a\nerror,The export was interrupted,.*incomplete.*\r?\n$/],
    ['ndjson', /^a\n\{"error":\{.*"status":503,.*incomplete.*\}\}\n$/],
  ])('that breaks off says so in its last line, as %s, and by its connection', async (format, text) => {
    const answer = createFileAnswers({ maxFiles: 1 });
    const breaking = async function* (): AsyncGenerator<string> {
      yield 'a\n';
      throw new Error('a damaged part');
    };
    const { body } = await answer({ request: request(), name: 'bots', format, pieces: breaking });
    let read = '';
    const reading = async () => {
      for await (const piece of body as ReadableStream<Uint8Array>) read += new TextDecoder().decode(piece);
    };
    await expect(reading()).rejects.toThrow('a damaged part');
    expect(read).toMatch(text);
    const next = await answer({ request: request(), name: 'bots', format, pieces: few });
    expect(await next.text()).toBe('a\nb\n');
  });
});
