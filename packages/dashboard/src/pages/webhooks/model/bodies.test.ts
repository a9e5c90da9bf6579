import { readConversion, TOPICS } from '@ghostlight/core/conversion';
import { describe, expect, it } from 'vitest';
import { SIZES } from '../search.ts';
import { exampleBody } from './bodies.ts';

describe.each(TOPICS)('the examples of %s', (topic) => {
  it.each(SIZES)('are taken by the service as they stand (%s)', (size) => {
    expect(readConversion(topic, exampleBody(topic, size))).toMatchObject({
      event: expect.anything(),
      warnings: [],
    });
  });

  it('use known fields, and one custom field where that is shown', () => {
    const reading = readConversion(topic, exampleBody(topic, 'full'));
    const extra = 'event' in reading ? Object.keys(reading.event.extra) : null;
    expect(extra).toEqual(topic === 'custom' ? ['language'] : []);
  });
});
