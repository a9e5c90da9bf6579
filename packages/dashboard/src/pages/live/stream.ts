/** Reads data of the event stream: one row, a list of rows, or an object with the list. Anything else is ignored. */
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
 * An event stream that reconnects. A browser reconnects by itself after a cut connection, but stops when an answer is not a
 * stream: a 503 of a restarting service, a 502 of a proxy. Then this opens a new one, with a back-off of at most a minute.
 */

const FIRST_MS = 1_000;
const MAX_MS = MINUTE_MS;
/** `EventSource.CLOSED`, also where there is no EventSource. */
const CLOSED = 2;

/** The part of EventSource that is used. */
export interface StreamSource {
  readonly readyState: number;
  addEventListener(name: string, listen: (event: Event) => void): void;
  close(): void;
}

interface StreamListeners {
  /** The events to hear, by name. */
  readonly events: Readonly<Record<string, (data: string) => void>>;
  readonly onOpen: () => void;
  /** The stream is interrupted. */
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
