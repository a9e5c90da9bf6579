/**
 * Events on their way: collected for a moment, sent in one request, and kept for another try when it fails. Each event has an id of its own,
 * so that one which arrives twice counts once; that is why everything here may rather send again than lose.
 */
import { attempt, toJson } from './attempt.ts';
import { type Event, keep, QUEUE, type Store } from './store.ts';

/** In one request, below the 64 KiB that browsers allow those that outlive their page. */
const MAX_EVENTS = 20;
/** A character takes at most three bytes. */
const MAX_LENGTH = 16_000;
/** That wait at a time: without a connection, or until the visitor consents. */
const MAX_WAITING = 200;
/** These give way last: a lost page view is a view less, a lost purchase a sale. */
const CONVERSION = /purch|lead|sign/;
/** Tries that the clock makes, 2 s to about 9 min apart; then only what the visitor does (another page, back to the tab, online again). */
const MAX_TRIES = 5;

export interface Outbox {
  /** The events that have not been sent, replaced by what `change` makes of them. */
  update(change: (events: Event[]) => Event[]): void;
  /** @param leaving the page may be gone in a moment: a beacon, which outlives it and answers nothing */
  flush(leaving?: boolean): void;
}

/**
 * @param credentials on a tracking domain alone: elsewhere the service refuses them, and the browser then its answer
 * @param isAllowed whether the visitor's consent holds still
 * @param onAnswer is given the first event of a request and the service's answer
 */
export function createOutbox(
  url: string,
  credentials: 'include' | undefined,
  store: Store,
  isAllowed: () => boolean,
  onAnswer: (sent: Event, answer: { visitor_id?: unknown }) => void,
): Outbox {
  let events: Event[] = [];
  let failures = 0;
  let timer: ReturnType<typeof setTimeout>;

  function update(change: (events: Event[]) => Event[]): void {
    events = change(events);
    if (events[MAX_WAITING])
      events = events.filter((event) => CONVERSION.test(event['event_name'] as string)).slice(-MAX_WAITING);
    // In a moment: what one step of the page records is one request. While tries fail, the clock says when the next is due.
    if (!failures) schedule(0);
  }

  const save = (list: Event[]) => keep(store, QUEUE, list[0] && list);

  function schedule(delay: number): void {
    clearTimeout(timer);
    timer = setTimeout(flush, delay);
  }

  function flush(leaving?: boolean): void {
    if (!isAllowed() || !events.length) return;
    let count = MAX_EVENTS;
    let batch: Event[];
    let body: string;
    do {
      batch = events.slice(0, count);
      body = toJson(batch);
    } while (--count && body.length > MAX_LENGTH);
    const rest = events.slice(count + 1);
    if (leaving) {
      const isTaken = attempt(() => navigator.sendBeacon(url, body));
      // The browser takes a beacon also when nothing will come of it: in doubt the events are kept.
      const isGone = isTaken && !failures && navigator.onLine;
      save(isGone ? rest : events);
      if (isGone) {
        events = rest;
        flush(leaving);
      }
      if (isTaken) return;
    }
    events = rest;
    void send(batch, body);
  }

  async function send(batch: Event[], body: string): Promise<void> {
    // Requests that fail side by side are one failure.
    const tries = failures + 1;
    let isOver = false;
    try {
      const response = await fetch(url, {
        method: 'POST',
        body,
        // A single event may be longer than browsers allow here; the service then says what it thinks of it.
        keepalive: body.length < MAX_LENGTH,
        credentials,
      } as RequestInit);
      // What is refused permanently (400 to 428) would be refused again.
      isOver = response.status < 429;
      onAnswer(batch[0] as Event, await response.json());
    } catch {
      // No connection, a blocker, a policy of the page, an answer that is not the service's.
    }
    if (!store.isOpen) return;
    failures = isOver ? 0 : tries;
    update((waiting) => (isOver ? waiting : batch.concat(waiting)));
    save(events);
    if (!isOver && tries <= MAX_TRIES) schedule(500 * 4 ** tries);
  }

  return { update, flush };
}
