import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApiError, api, get, liveStreamUrl, problem, storedUrl } from './client.ts';
import { connection } from './connection.ts';

describe('problem documents', () => {
  it('become the sentence of the service', () => {
    const error = problem(409, { title: 'Conflict', detail: 'A property with this domain exists already.' });
    expect(error.message).toBe('A property with this domain exists already.');
    expect(error.status).toBe(409);
  });

  it('carry the message of each field to the field', () => {
    const error = problem(422, {
      detail: 'No.',
      errors: [{ pointer: '/domain', message: 'Not a host name.' }, 7],
    });
    expect(error.field('domain')).toBe('Not a host name.');
    expect(error.field('name')).toBeUndefined();
  });

  it('of a fault show the request id; of a refusal they do not', () => {
    const document = { detail: 'The request was not completed.', request_id: 'abc-1' };
    expect(problem(500, document).message).toBe('The request was not completed. Request id: abc-1');
    expect(problem(422, document).message).toBe('The request was not completed.');
  });

  it('carry the error code', () => {
    expect(problem(401, { type: '/problems/second_factor_required' }).code).toBe('second_factor_required');
    expect(problem(401, { type: 7 }).code).toBe('');
  });

  it('become a sentence even when a proxy sent something else', () => {
    expect(problem(502, null).message).toBe('The service returned status 502.');
    expect(problem(502, 'Bad gateway').message).toBe('The service returned status 502.');
  });
});

describe('addresses', () => {
  it('never let an id leave its segment', () => {
    expect(liveStreamUrl('../x?y')).toBe('/api/v1/properties/..%2Fx%3Fy/live/stream');
  });

  it('encode the period of an export', () => {
    expect(storedUrl('p', 'hits', { from: '2026-01-01T00:00:00Z', format: 'csv' })).toBe(
      '/api/v1/properties/p/hits?from=2026-01-01T00%3A00%3A00Z&format=csv',
    );
  });
});

describe('a call', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  /** Never answers; ends when the call is aborted. */
  const silent = () => {
    const seen: AbortSignal[] = [];
    vi.stubGlobal('fetch', (_path: string, { signal }: { signal: AbortSignal }) => {
      seen.push(signal);
      return new Promise((_resolve, reject) => {
        const end = () => reject(signal.reason);
        if (signal.aborted) end();
        else signal.addEventListener('abort', end);
      });
    });
    return seen;
  };

  it('is cancelled with its query: a request with outdated filters does not run on', async () => {
    const seen = silent();
    const query = new AbortController();
    const asked = api.config(query.signal);
    query.abort();
    await expect(asked).rejects.toBe(query.signal.reason);
    expect(seen[0]?.aborted).toBe(true);
  });

  it('waits longer than the time limit of the service, then says what happened', async () => {
    silent();
    const patience = new AbortController();
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(patience.signal);
    const asked = get('/api/v1/config');
    expect(timeout.mock.calls[0]?.[0]).toBeGreaterThan(30_000);
    patience.abort(new DOMException('', 'TimeoutError'));
    await expect(asked).rejects.toMatchObject({ status: 0, code: 'timed_out' });
  });

  it('is given back when it alone meets silence: a service that answers all else is not asked for ever', async () => {
    let sent = 0;
    vi.stubGlobal('fetch', async (path: string) => {
      if (path === '/healthz') return new Response('{}');
      sent += 1;
      if (sent > 20) return new Response('{}');
      throw new TypeError('Failed to fetch');
    });
    const leave = connection.watch();
    try {
      await expect(api.deleteProperty('p')).rejects.toMatchObject({ code: 'given_back' });
      expect(sent).toBe(3);
    } finally {
      leave();
    }
  });

  it('that failed says "tries again" for a GET only, because the page never repeats a change', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    const read = await get('/api/v1/config').catch((error: unknown) => error);
    const saved = await api
      .createProperty({ name: 'Shop', domain: 'shop.example', time_zone: 'UTC' })
      .catch((error: unknown) => error);
    expect(read).toBeInstanceOf(ApiError);
    expect((read as ApiError).message).toContain('tries again');
    expect((saved as ApiError).message).not.toContain('tries again');
    expect((saved as ApiError).message).toContain('submit again');
  });
});
