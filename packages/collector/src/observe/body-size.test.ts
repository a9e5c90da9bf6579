import { describe, expect, it } from 'vitest';
import { bodySize } from './body-size.ts';

const LIMITS = { bytes: 1_000, milliseconds: 60_000 };

const streamed = (chunks: readonly string[], headers: Record<string, string> = {}): Response =>
  new Response(ReadableStream.from(chunks.map((chunk) => new TextEncoder().encode(chunk))), { headers });

describe('the size of a body', () => {
  it.each([
    ['HEAD', new Response(null, { headers: { 'content-length': '700' } })],
    ['GET', new Response(null, { status: 204 })],
    ['GET', new Response(null, { status: 304, headers: { 'content-length': '700' } })],
    ['GET', new Response(null)],
  ])('of an answer without one is 0 (%s)', async (method, response) => {
    expect(await bodySize(method, response, true)).toBe(0);
  });

  it('is what the origin declared', async () => {
    expect(await bodySize('GET', streamed(['four'], { 'content-length': '4000' }), false)).toBe(4_000);
  });

  it.each(['-1', '1e3', '4, 4', ' ', '9'.repeat(16)])('declared as %j is counted instead', async (length) => {
    expect(await bodySize('GET', streamed(['four'], { 'content-length': length }), true)).toBe(4);
  });

  it('is counted only of a visit that is reported', async () => {
    const response = streamed(['one', 'two']);
    expect(await bodySize('GET', response, false)).toBe(0);
    expect(await bodySize('GET', response, true)).toBe(6);
    expect(await response.text()).toBe('onetwo');
  });

  it('is not counted of a body that has been read already', async () => {
    const response = streamed(['one']);
    await response.text();
    expect(await bodySize('GET', response, true)).toBe(0);
  });

  it.each([
    'text/event-stream; charset=utf-8',
    'Audio/mpeg',
    'video/mp4',
    'multipart/x-mixed-replace;boundary=x',
  ])('is not counted of %s', async (type) => {
    expect(await bodySize('GET', streamed(['data: 1'], { 'content-type': type }), true)).toBe(0);
  });

  it('is counted to the limit, and the rest is not asked for', async () => {
    let pulled = 0;
    const endless = new ReadableStream({
      pull: (controller) => {
        pulled += 100;
        controller.enqueue(new Uint8Array(100));
      },
    });
    const response = new Response(endless);
    expect(await bodySize('GET', response, true, LIMITS)).toBe(1_000);
    await response.body?.cancel();
    expect(pulled).toBeLessThan(2_000);
  });

  it('of a body that does not go on is what came until the deadline', async () => {
    const stuck = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(7)) });
    expect(await bodySize('GET', new Response(stuck), true, { bytes: 1_000, milliseconds: 20 })).toBe(7);
  });

  it('of a body that breaks off is what came', async () => {
    let calls = 0;
    const broken = new ReadableStream({
      pull: (controller) => {
        calls += 1;
        if (calls === 1) controller.enqueue(new Uint8Array(7));
        else controller.error(new Error('cut'));
      },
    });
    const response = new Response(broken);
    expect(await bodySize('GET', response, true, LIMITS)).toBe(7);
    await expect(response.text()).rejects.toThrow();
  });
});
