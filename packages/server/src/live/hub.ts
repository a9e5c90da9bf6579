/** All readers of all Live streams: how many there may be, one feed per property, heartbeats, and the end. */
import { MINUTE_MS } from '@ghostlight/core/time';
import { type Clock, type Log, outsideRequests, ServiceError } from '../common/index.ts';
import type { LiveHit } from '../warehouse/index.ts';
import { createFeed, type Feed } from './feed.ts';
import { type LiveFilter, passes } from './filter.ts';
import { liveItem } from './item.ts';
import { type ReadLive, readMatching } from './reader.ts';
import { createSubscriber, MAX_WAITING, type Subscriber } from './subscriber.ts';

export interface LiveHubOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Milliseconds between two looks at a property; default 1 s. */
  readonly pollMs?: number;
  readonly heartbeatMs?: number;
  /** After this a stream ends and its reader comes back, so that a revoked sign-in doesn't read on. */
  readonly lifetimeMs?: number;
  readonly maxStreams?: number;
  readonly maxStreamsPerProperty?: number;
}

export interface LiveHub {
  /**
   * @param since arrival (epoch ms) of the last event that the reader has; the 10 s before it are sent again, readers drop known ids
   * @throws ServiceError `unavailable` when there are too many readers
   */
  subscribe(
    propertyId: string,
    read: ReadLive,
    filter: LiveFilter,
    since: number | null,
  ): Promise<ReadableStream<Uint8Array>>;
  /** Readers at this moment. */
  size(): number;
  /** Ends every stream. */
  close(): void;
}

interface Reader {
  readonly subscriber: Subscriber;
  readonly filter: LiveFilter;
  /** What came while its past was being read; null: it is up to date. */
  backlog: LiveHit[] | null;
}

interface Channel {
  readonly feed: Feed;
  readonly readers: Set<Reader>;
  /** Resolves when the feed knows what is past; looks begin then. */
  readonly begun: Promise<void>;
  timer: NodeJS.Timeout | undefined;
}

/** The id of an event is what a reader resumes with: when its row arrived, and which row. */
export function eventOf(hit: LiveHit): string {
  return `id: ${hit.received_at}-${hit.id}\nevent: hit\ndata: ${JSON.stringify(liveItem(hit))}\n\n`;
}

/** @returns epoch milliseconds, or null for anything that is no id of ours */
export function arrivalOf(lastEventId: string | undefined): number | null {
  const match = /^(\d{1,15})(?:-[0-9a-f-]{36})?$/.exec(lastEventId ?? '');
  return match?.[1] === undefined ? null : Number(match[1]);
}

/** Sent at once; a larger burst is cut, and a reader that doesn't keep up is disconnected. */
const MAX_AT_ONCE = MAX_WAITING / 2;
const CUT = 'event: cut\ndata: {"reason":"More arrived than a stream can carry; load the view again."}\n\n';

export function createLiveHub(options: LiveHubOptions): LiveHub {
  const { clock, log, pollMs = 1_000, heartbeatMs = 15_000, lifetimeMs = 15 * MINUTE_MS } = options;
  const { maxStreams = 256, maxStreamsPerProperty = 32 } = options;
  const channels = new Map<string, Channel>();
  let size = 0;
  let closed = false;

  const channelOf = (propertyId: string, read: ReadLive): Channel => {
    const known = channels.get(propertyId);
    if (known !== undefined) return known;
    const readers = new Set<Reader>();
    const feed = createFeed(
      read,
      (hits, cut) => {
        for (const reader of readers) deliver(reader, hits, cut);
      },
      { clock, log },
    );
    const begun = feed.begin().then(() => {
      if (channels.get(propertyId) !== channel) return;
      // It outlives the request of its first reader.
      channel.timer = outsideRequests(() => setInterval(() => void feed.look(), pollMs).unref());
    });
    // Waiting readers get the error; perhaps none is waiting any more.
    begun.catch(() => undefined);
    const channel: Channel = { feed, readers, begun, timer: undefined };
    channels.set(propertyId, channel);
    return channel;
  };

  const admit = (propertyId: string): void => {
    const own = channels.get(propertyId)?.readers.size ?? 0;
    if (!closed && size < maxStreams && own < maxStreamsPerProperty) return;
    throw new ServiceError('unavailable', 'Too many Live streams are open; close one or try again shortly.', {
      headers: { 'Retry-After': '5' },
    });
  };

  return {
    async subscribe(propertyId, read, filter, since) {
      admit(propertyId);
      const channel = channelOf(propertyId, read);
      const subscriber = createSubscriber(() => {
        clearInterval(heartbeat);
        clearTimeout(lifetime);
        channel.readers.delete(reader);
        size -= 1;
        if (channel.readers.size > 0) return;
        clearInterval(channel.timer);
        channels.delete(propertyId);
      });
      const reader: Reader = { subscriber, filter, backlog: [] };
      const heartbeat = setInterval(() => subscriber.heartbeat(), heartbeatMs);
      const lifetime = setTimeout(() => subscriber.end(), lifetimeMs);
      heartbeat.unref();
      lifetime.unref();
      channel.readers.add(reader);
      size += 1;
      subscriber.push(['retry: 2000\n\n']);
      try {
        // It listens before its past is read: what becomes visible in between comes by one of the two, or by both.
        await channel.begun;
        await catchUp(reader, read, since ?? clock());
      } catch (error) {
        subscriber.end();
        throw error;
      }
      return subscriber.stream;
    },
    size: () => size,
    close() {
      closed = true;
      for (const { readers } of [...channels.values()]) {
        for (const { subscriber } of [...readers]) subscriber.end();
      }
    },
  };
}

function deliver(reader: Reader, hits: readonly LiveHit[], cut: boolean): void {
  const wanted = hits.filter((hit) => passes(hit, reader.filter));
  if (reader.backlog !== null) reader.backlog.push(...wanted);
  else tellNewest(reader, wanted, cut);
}

function tellNewest({ subscriber }: Reader, hits: readonly LiveHit[], cut: boolean): void {
  const told = hits.slice(-MAX_AT_ONCE);
  subscriber.push([...(cut || told.length < hits.length ? [CUT] : []), ...told.map(eventOf)]);
}

async function catchUp(reader: Reader, read: ReadLive, since: number): Promise<void> {
  // No more than may wait: the newest count, and the reader gets a notice when older ones were left out.
  const past = await readMatching(read, reader.filter, { after: since, limit: MAX_AT_ONCE });
  const sent = new Set(past.hits.map(({ id }) => id));
  const backlog = (reader.backlog ?? []).filter(({ id }) => !sent.has(id));
  reader.backlog = null;
  tellNewest(reader, [...past.hits.reverse(), ...backlog], past.cut);
}
