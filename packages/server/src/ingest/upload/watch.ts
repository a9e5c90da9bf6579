/** Ends the work on an upload when its sender left, or when it takes so long that no answer would reach the sender. */
import type { ServerResponse } from 'node:http';
import { ServiceError } from '../../common/index.ts';
import { SenderGone } from '../body/body.ts';

export interface UploadWatch {
  /** Aborted with a SenderGone, or with what the sender is to be answered. */
  readonly signal: AbortSignal;
  /** More of the body arrived: the time starts again. */
  readonly refresh: () => void;
  /** Nothing is ended any more. */
  readonly end: () => void;
}

/**
 * @param answerMs from the last bytes that arrived to the answer. It is not enough that a part of what has arrived is worked on: the listener
 * ends a connection on which nothing moves
 */
export function watchUpload(response: ServerResponse, answerMs: number): UploadWatch {
  const ending = new AbortController();
  const giveUp = (): void => ending.abort(tooBusy());
  const timer = setTimeout(giveUp, answerMs);
  const onClose = (): void => ending.abort(new SenderGone());
  // The listener is about to end the connection. Who listens answers instead.
  response.once('timeout', giveUp);
  response.once('close', onClose);
  return {
    signal: ending.signal,
    refresh: () => void timer.refresh(),
    end: () => {
      clearTimeout(timer);
      response.off('timeout', giveUp);
      response.off('close', onClose);
    },
  };
}

function tooBusy(): ServiceError {
  return new ServiceError(
    'unavailable',
    'The service is too busy for this upload. Send smaller batches, or send it again later.',
    { headers: { 'Retry-After': '60' } },
  );
}
