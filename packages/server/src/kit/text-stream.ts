/** An answer of any length as a stream of bytes: the next piece is made when the reader has taken the last one. */

/** @param done called once, when the stream ends, fails or is given up by its reader */
export function textStream(pieces: AsyncGenerator<string>, done: () => void): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let ended = false;
  const end = (): void => {
    if (!ended) done();
    ended = true;
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { value, done: over } = await pieces.next();
          if (over !== true) return controller.enqueue(encoder.encode(value));
          end();
          controller.close();
        } catch (error) {
          // The answer has begun: breaking it off is the only way to say that it isn't whole.
          end();
          controller.error(error);
        }
      },
      cancel() {
        end();
      },
    },
    { highWaterMark: 2 },
  );
}

/** Reads the first piece before the answer begins, so that a store that is down is a 503 and no broken 200. @param failed called when it can't be read */
export async function begun<T>(pieces: AsyncGenerator<T>, failed: () => void): Promise<AsyncGenerator<T>> {
  try {
    const first = await pieces.next();
    return (async function* () {
      if (first.done === true) return;
      yield first.value;
      yield* pieces;
    })();
  } catch (error) {
    failed();
    throw error;
  }
}
