/** One reader of the stream: a bounded outbox behind a ReadableStream. Who reads too slowly is let go and resumes with its last id. */

const HEARTBEAT = ': still here\n\n';
/** Events that may wait for a reader beyond what its socket takes. */
export const MAX_WAITING = 2_000;

export interface Subscriber {
  readonly stream: ReadableStream<Uint8Array>;
  /** Adds events; ends the stream when too many wait. */
  push(events: readonly string[]): void;
  heartbeat(): void;
  end(): void;
}

/** @param onGone called once, however the stream ends */
export function createSubscriber(onGone: () => void): Subscriber {
  const encoder = new TextEncoder();
  const waiting: string[] = [];
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null;

  const end = (): void => {
    if (controller === null) return;
    const ending = controller;
    controller = null;
    waiting.length = 0;
    try {
      ending.close();
    } catch {
      // The reader was gone before us.
    }
    onGone();
  };
  const drain = (): void => {
    while (controller !== null && (controller.desiredSize ?? 0) > 0 && waiting.length > 0) {
      // Many small events as one chunk: one write a chunk.
      controller.enqueue(encoder.encode(waiting.splice(0, 50).join('')));
    }
  };
  const stream = new ReadableStream<Uint8Array>(
    {
      start(started) {
        controller = started;
      },
      pull: drain,
      cancel() {
        if (controller === null) return;
        controller = null;
        waiting.length = 0;
        onGone();
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 64 * 1024 }),
  );
  return {
    stream,
    push(events) {
      if (controller === null) return;
      waiting.push(...events);
      drain();
      if (waiting.length > MAX_WAITING) end();
    },
    heartbeat() {
      if (waiting.length === 0 && (controller?.desiredSize ?? 0) > 0)
        controller?.enqueue(encoder.encode(HEARTBEAT));
    },
    end,
  };
}
