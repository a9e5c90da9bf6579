import type { EdgeCache } from '../platform.ts';
import type { Copy } from './copy.ts';
import { readEtag } from './etag.ts';
import { LOCAL_TTL_S } from './times.ts';

/** Whose memory is meant. The cache's keys stand below the visited site, as the platform advises: a foreign name would be looked up. */
export interface Place {
  readonly siteOrigin: string;
  readonly attributionId: string;
}

/** What happens only every so often in a data centre. */
export type Turn = 'check' | 'bypass';

/** What this data centre remembers of the manifest: in its cache, and in the isolate's memory where it has none. Never rejects. */
export interface DataCentre {
  /** Its own copies, in no order: the isolate's and the cache's, of which either may be newer. */
  copies(place: Place): Promise<readonly (Copy | null)[]>;
  /** Keeps a copy unless a newer one is there. */
  remember(place: Place, copy: Copy): Promise<void>;
  /** Takes this turn if no request here has taken it for so many milliseconds. Two at the very same time may both get it. */
  takeTurn(place: Place, turn: Turn, every: number): Promise<boolean>;
}

/** One Worker serves one property, so that an isolate holds one document, ≤ 256 KiB. */
interface Memory {
  readonly attributionId: string;
  copy: Copy | null;
  readonly turns: Record<Turn, number>;
}

const AT_HEADER = 'X-Ghostlight-At';
/** Not `ETag`, which the cache would answer conditional requests with. */
const ETAG_HEADER = 'X-Ghostlight-ETag';

export function createDataCentre(deps: {
  readonly openCache: () => Promise<EdgeCache | null>;
  readonly now: () => number;
}): DataCentre {
  let memory: Memory | null = null;

  const memoryOf = (attributionId: string): Memory => {
    if (memory?.attributionId !== attributionId) {
      memory = { attributionId, copy: null, turns: { check: 0, bypass: 0 } };
    }
    return memory;
  };

  const match = async (place: Place, name: string): Promise<Copy | null> => {
    try {
      const entry = await (await deps.openCache())?.match(keyOf(place, name));
      return entry === undefined ? null : await readEntry(entry);
    } catch {
      return null;
    }
  };

  const put = async (place: Place, name: string, response: Response): Promise<void> => {
    try {
      await (await deps.openCache())?.put(keyOf(place, name), response);
    } catch {
      // The isolate's memory holds the same.
    }
  };

  return {
    async copies(place) {
      return [memoryOf(place.attributionId).copy, await match(place, 'copy')];
    },

    async remember(place, copy) {
      const own = memoryOf(place.attributionId);
      // Answers overtake each other: what was asked for earlier may arrive later, from before a rotation.
      if (own.copy !== null && own.copy.at > copy.at) return;
      own.copy = copy;
      await put(place, 'copy', entryOf(copy.at, LOCAL_TTL_S, copy));
    },

    async takeTurn(place, turn, every) {
      const { turns } = memoryOf(place.attributionId);
      const now = deps.now();
      if (now - turns[turn] < every) return false;
      // Taken before the first wait, so that the isolate's other visits see it.
      turns[turn] = now;
      const taken = await match(place, turn);
      if (taken !== null && now - taken.at < every) {
        turns[turn] = taken.at;
        return false;
      }
      await put(place, turn, entryOf(now, Math.ceil(every / 1000), null));
      return true;
    },
  };
}

function keyOf({ siteOrigin, attributionId }: Place, name: string): string {
  return `${siteOrigin}/.well-known/webmcp.json?ghostlight=${name}&property=${encodeURIComponent(attributionId)}`;
}

/** @param seconds how long the cache may keep it */
function entryOf(at: number, seconds: number, copy: Copy | null): Response {
  const headers = new Headers({ 'Cache-Control': `max-age=${seconds}`, [AT_HEADER]: String(at) });
  if (copy !== null && copy.etag !== null) headers.set(ETAG_HEADER, copy.etag);
  return new Response(copy?.text ?? '', { headers });
}

async function readEntry(entry: Response): Promise<Copy> {
  const text = await entry.text();
  return {
    // No manifest is an empty text: it means "nothing is published".
    text: text === '' ? null : text,
    etag: readEtag(entry.headers.get(ETAG_HEADER)),
    at: Number(entry.headers.get(AT_HEADER)) || 0,
  };
}
