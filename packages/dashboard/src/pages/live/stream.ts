/** Reads what the event stream sends: one row, a list of rows, or an object that holds the list. Anything else is no row. */
import { isObject } from '@ghostlight/core';
import { MINUTE_MS } from '@ghostlight/core/time';
import type { LiveItem } from '../../api/types.ts';

export function readStreamData(data: string): LiveItem[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(data);
  } catch {
    return [];
  }
  const listed = Array.isArray(parsed)
    ? parsed
    : isObject(parsed) && Array.isArray(parsed['items'])
      ? parsed['items']
      : [parsed];
  return listed.filter(isLiveItem);
}

function isLiveItem(value: unknown): value is LiveItem {
  return isObject(value) && typeof value['id'] === 'string' && typeof value['class'] === 'string';
}

/**
 * An event stream that comes back. A browser reconnects by itself after a cut connection, but gives up for good when an answer is no
 * stream: a 503 of a service that restarts, a 502 of the proxy before it. Then a new one is opened, later each time, at most a minute.
 */

const FIRST_MS = 1_000;
const MAX_MS = MINUTE_MS;
/** `EventSource.CLOSED`, also where there is no EventSource. */
const CLOSED = 2;

/** What is used of an EventSource. */
export interface StreamSource {
  readonly readyState: number;
  addEventListener(name: string, listen: (event: Event) => void): void;
  close(): void;
}

interface StreamListeners {
  /** The events to hear, by name. */
  readonly events: Readonly<Record<string, (data: string) => void>>;
  readonly onOpen: () => void;
  /** Away, for the moment. */
  readonly onAway: () => void;
}

/** @param open a new connection @returns ends it */
export function lastingStream(
  open: () => StreamSource,
  { events, onOpen, onAway }: StreamListeners,
): () => void {
  let source: StreamSource;
  let wait = FIRST_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const connect = () => {
    const opened = open();
    source = opened;
    for (const [name, listen] of Object.entries(events))
      opened.addEventListener(name, (event: Event) => listen((event as MessageEvent<string>).data));
    opened.addEventListener('open', () => {
      wait = FIRST_MS;
      onOpen();
    });
    opened.addEventListener('error', () => {
      onAway();
      if (opened.readyState !== CLOSED || timer !== undefined) return;
      timer = setTimeout(() => {
        timer = undefined;
        connect();
      }, wait);
      wait = Math.min(MAX_MS, wait * 2);
    });
  };
  connect();
  return () => {
    clearTimeout(timer);
    source.close();
  };
}
