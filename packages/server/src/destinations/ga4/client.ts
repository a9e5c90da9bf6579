/** Whose event it is: the ids that Google's tag has left in the browser. */
import { sha256Hex } from '../identifiers/index.ts';
import type { MatchContext } from '../port.ts';

/** `GA1.1.1234567890.1796000000`, `GA1.2-2.…`: the last two parts. */
const CLIENT = /^GA\d\.[\d-]{1,7}\.(\d{1,20}\.\d{1,20})$/;
/** `GS1.1.1796000000.3.1.…` */
const SESSION_OF_OLD = /^GS1\.\d{1,3}\.(\d{6,13})\./;
/** `GS2.1.s1796000000$o3$g1$…` */
const SESSION_OF_NEW = /^GS2\.\d{1,3}\.s(\d{6,13})(?:\$|$)/;

export interface Client {
  readonly id: string;
  /** Google's tag has not seen this visitor, as far as we know. */
  readonly isMadeUp: boolean;
}

/** @returns the tag's id; without one an id that is the same for the same visitor every time; null where there is no visitor */
export function clientOf(context: MatchContext): Client | null {
  const id = CLIENT.exec(context.browserIds['_ga'] ?? '')?.[1];
  if (id !== undefined) return { id, isMadeUp: false };
  if (context.visitorId === null) return null;
  const number = Number.parseInt(sha256Hex(context.visitorId).slice(0, 8), 16);
  const firstSeen = context.firstSeen ?? context.touch?.at ?? 0;
  return { id: `${number}.${Math.floor(firstSeen / 1000)}`, isMadeUp: true };
}

/** @param measurementId a site may be measured by several streams: each has a session of its own */
export function sessionOf({ browserIds }: MatchContext, measurementId: string): string | null {
  const cookie = browserIds[`_ga_${measurementId.replace(/^G-/, '')}`] ?? '';
  return (SESSION_OF_NEW.exec(cookie) ?? SESSION_OF_OLD.exec(cookie))?.[1] ?? null;
}
