/**
 * Feeds the Live buffer: first the last thirty minutes, then the event stream; while that is down, a poll every three
 * seconds. They may return the same rows; the buffer removes duplicates.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type Dispatch, useCallback, useEffect, useMemo, useReducer, useState } from 'react';
import { api, liveStreamUrl } from '../../api/client.ts';
import { queries } from '../../api/queries.ts';
import { EMPTY_BUFFER, type LiveAction, type LiveBuffer, reduceLive } from './buffer.ts';
import { LISTED } from './search.ts';
import { lastingStream, readStreamData } from './stream.ts';
import { type LiveSummary, summarize } from './summary.ts';

const POLL_MS = 3_000;
const TICK_MS = 5_000;
/** One request per class, so that many samples can't displace rare bots in the first answer. */
const PER_CLASS = 500;

export type Connection = 'connecting' | 'streaming' | 'polling' | 'lost';

interface Live {
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

  const load = useCallback(
    async (signal?: AbortSignal) => {
      try {
        const answers = await Promise.all(
          LISTED.map((hitClass) => api.live(propertyId, { class: hitClass, limit: PER_CLASS }, signal)),
        );
        dispatch({ type: 'snapshot', items: answers.flat(), now: Date.now() });
        setError(null);
      } catch (failure) {
        if (signal?.aborted !== true) setError(failure);
      }
    },
    [propertyId],
  );

  useEffect(() => {
    const left = new AbortController();
    const receive = (data: string) => {
      const items = readStreamData(data);
      if (items.length > 0) dispatch({ type: 'arrived', items, now: Date.now() });
    };
    const end = lastingStream(() => new EventSource(liveStreamUrl(propertyId)), {
      events: {
        message: receive,
        hit: receive,
        hits: receive,
        // More arrived than the stream carries: a request fetches the rest.
        cut: () => {
          void load(left.signal);
          void queryClient.invalidateQueries({ queryKey: queries.liveSummary(propertyId).queryKey });
        },
      },
      // Rows between the first answer and the stream, or during an interruption, are fetched when it opens.
      onOpen: () => {
        setStreaming(true);
        void load(left.signal);
      },
      onAway: () => setStreaming(false),
    });
    void load(left.signal);
    return () => {
      end();
      left.abort();
    };
  }, [propertyId, load, queryClient]);

  useEffect(() => {
    if (streaming !== false) return;
    const left = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    // The next request waits for the answer, so that a slow service gets one at a time.
    const poll = async () => {
      await load(left.signal);
      if (!left.signal.aborted) timer = setTimeout(() => void poll(), POLL_MS);
    };
    timer = setTimeout(() => void poll(), POLL_MS);
    return () => {
      left.abort();
      clearTimeout(timer);
    };
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

/** Refreshed every few seconds, and updated by each row in between, including buffered ones. */
export function useLiveSummary(propertyId: string, { rows, waiting }: LiveBuffer): LiveSummary | null {
  const { data } = useQuery(queries.liveSummary(propertyId));
  return useMemo(
    () => (data === undefined ? null : summarize(data, [...waiting, ...rows])),
    [data, rows, waiting],
  );
}
