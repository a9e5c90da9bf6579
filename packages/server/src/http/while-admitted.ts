/** An answer that lasts, for as long as its caller may have it: a revoked token, an ended session or access that was taken away ends it too. */
import { ServiceError } from '../common/index.ts';

/** With the seconds for which a token's state is cached, "refused within 5 seconds" holds for streams as well. */
const LOOK_EVERY_MS = 2_000;
const REFUSALS: readonly string[] = ['unauthorized', 'second_factor_required', 'forbidden', 'not_found'];

/**
 * @param admit asks for the caller again, and throws where it is refused; a store that does not answer refuses no caller
 * @param isFile its end must show that it is not whole; a stream of events just ends
 * @returns the same bytes, read no faster than they are taken
 */
export function whileAdmitted(
  body: ReadableStream<Uint8Array>,
  admit: () => Promise<void>,
  { lookEveryMs = LOOK_EVERY_MS, isFile = false }: { lookEveryMs?: number; isFile?: boolean } = {},
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  /** One look at a time: a store that hangs would gather one for every two seconds of each stream. */
  let isLooking = false;
  const end = (): boolean => {
    if (isOver) return false;
    isOver = true;
    clearInterval(timer);
    return true;
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        timer = setInterval(() => {
          if (isLooking) return;
          isLooking = true;
          admit()
            .catch((error: unknown) => {
              if (!(error instanceof ServiceError) || !REFUSALS.includes(error.code) || !end()) return;
              if (isFile) controller.error(new Error('The caller may not have the rest of this file'));
              else controller.close();
              reader.cancel().catch(() => undefined);
            })
            .finally(() => {
              isLooking = false;
            });
        }, lookEveryMs).unref();
      },
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (isOver) return;
          if (!done) controller.enqueue(value);
          else if (end()) controller.close();
        } catch (error) {
          if (end()) controller.error(error);
        }
      },
      async cancel(reason) {
        end();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
