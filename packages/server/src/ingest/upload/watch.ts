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

/** @param answerMs from the last bytes that arrived to the answer */
export function watchUpload(response: ServerResponse, answerMs: number): UploadWatch {
  const ending = new AbortController();
  const timer = setTimeout(() => {
    ending.abort(
      new ServiceError(
        'unavailable',
        'The service is too busy for this upload. Send smaller batches, or send it again later.',
        {
          headers: { 'Retry-After': '60' },
        },
      ),
    );
  }, answerMs);
  const onClose = (): void => ending.abort(new SenderGone());
  response.once('close', onClose);
  return {
    signal: ending.signal,
    refresh: () => void timer.refresh(),
    end: () => {
      clearTimeout(timer);
      response.off('close', onClose);
    },
  };
}
