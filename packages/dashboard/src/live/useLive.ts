/**
 * Feeds the Live buffer: first answers for the last thirty minutes, then the event stream; while that is down, questions every three
 * seconds. All of them may bring the same rows: the buffer keeps each once.
 */
import { useQueryClient } from '@tanstack/react-query';
import { type Dispatch, useCallback, useEffect, useReducer, useState } from 'react';
import { api, liveStreamUrl } from '../api/client.ts';
import { queries } from '../api/queries.ts';
import { EMPTY_BUFFER, type LiveAction, type LiveBuffer, reduceLive } from './buffer.ts';
import { CLASSES } from './filters.ts';
import { readStreamData } from './stream.ts';

const POLL_MS = 3_000;
const TICK_MS = 5_000;
/** Asked for per class, so that a flood of samples can't push the rare bots out of the first answer. */
const PER_CLASS = 500;

export type Connection = 'connecting' | 'streaming' | 'polling' | 'lost';

export interface Live {
  buffer: LiveBuffer;
  connection: Connection;
  error: unknown;
  dispatch: Dispatch<LiveAction>;
  retry: () => void;
}

export function useLive(propertyId: string): Live {
  const [buffer, dispatch] = useReducer(reduceLive, EMPTY_BUFFER);
  const [streaming, setStreaming] = useState<boolean | null>(null);
  const [error, setError] = useState<unknown>(null);

  const queryClient = useQueryClient();

  const load = useCallback(async () => {
    try {
      const answers = await Promise.all(
        CLASSES.map((hitClass) => api.live(propertyId, { class: hitClass, limit: PER_CLASS })),
      );
      dispatch({ type: 'snapshot', items: answers.flat(), now: Date.now() });
      setError(null);
    } catch (failure) {
      setError(failure);
    }
  }, [propertyId]);

  useEffect(() => {
    const source = new EventSource(liveStreamUrl(propertyId));
    const receive = (event: MessageEvent<string>) => {
      const items = readStreamData(event.data);
      if (items.length > 0) dispatch({ type: 'arrived', items, now: Date.now() });
    };
    for (const name of ['message', 'hit', 'hits']) source.addEventListener(name, receive);
    // More arrived than a stream carries: only the view's own questions tell the rest.
    source.addEventListener('cut', () => {
      void load();
      void queryClient.invalidateQueries({ queryKey: queries.liveSummary(propertyId).queryKey });
    });
    // What came between the first answer and the stream, or while it was away, is fetched as it opens.
    source.onopen = () => {
      setStreaming(true);
      void load();
    };
    source.onerror = () => setStreaming(false);
    return () => source.close();
  }, [propertyId, load, queryClient]);

  useEffect(() => {
    void load();
  }, [load]);

  useEffect(() => {
    if (streaming !== false) return;
    const timer = setInterval(() => void load(), POLL_MS);
    return () => clearInterval(timer);
  }, [streaming, load]);

  useEffect(() => {
    const timer = setInterval(() => dispatch({ type: 'tick', now: Date.now() }), TICK_MS);
    return () => clearInterval(timer);
  }, []);

  const connection: Connection =
    streaming === true
      ? 'streaming'
      : error !== null
        ? 'lost'
        : streaming === false
          ? 'polling'
          : 'connecting';
  return { buffer, connection, error, dispatch, retry: () => void load() };
}
