import { describe, expect, it } from 'vitest';
import { exportUrl, liveStreamUrl, problem } from './client.ts';

describe('problem documents', () => {
  it('become the sentence that the service wrote', () => {
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

  it('tell programs what went wrong', () => {
    expect(problem(401, { type: '/problems/second_factor_required' }).code).toBe('second_factor_required');
    expect(problem(401, { type: 7 }).code).toBe('');
  });

  it('are still a sentence when a proxy answered with something else', () => {
    expect(problem(502, null).message).toBe('The service answered with status 502.');
    expect(problem(502, 'Bad gateway').message).toBe('The service answered with status 502.');
  });
});

describe('addresses', () => {
  it('never let an id leave its segment', () => {
    expect(liveStreamUrl('../x?y')).toBe('/api/v1/properties/..%2Fx%3Fy/live/stream');
  });

  it('encode the period of an export', () => {
    expect(exportUrl('p', { from: '2026-01-01T00:00:00Z', format: 'csv' })).toBe(
      '/api/v1/properties/p/hits?from=2026-01-01T00%3A00%3A00Z&format=csv',
    );
  });
});
