/** The click on an ad of Google's. */
import { CLOCK_SKEW_MS, type JsonObject } from '@ghostlight/core';
import type { MatchContext } from '../port.ts';

/** `GCL.<seconds>.<gclid>`, as Google's tag writes it. */
const GCL_AW = /^GCL\.(\d{9,11})\.([\w-]{10,500})$/;

/**
 * One click id: `gclid` names the click itself; `gbraid` and `wbraid` stand for it on iOS, never both in one event.
 *
 * @param at when the conversion happened: a cookie may have been written by a click after it
 */
export function adIdentifiers({ clickIds, browserIds }: MatchContext, at: number): JsonObject | null {
  const { gclid, gbraid, wbraid } = clickIds;
  if (gclid !== undefined) return { gclid: gclid.value };
  if (gbraid !== undefined && (wbraid === undefined || gbraid.at >= wbraid.at))
    return { gbraid: gbraid.value };
  if (wbraid !== undefined) return { wbraid: wbraid.value };
  const [, clickedAt, ofCookie] = GCL_AW.exec(browserIds['_gcl_aw'] ?? '') ?? [];
  return ofCookie !== undefined && Number(clickedAt) * 1000 <= at + CLOCK_SKEW_MS
    ? { gclid: ofCookie }
    : null;
}
