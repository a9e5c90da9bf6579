/**
 * Every time of the manifest's cache, and why they add up.
 *
 * **Rotate keys** makes every cached copy stop verifying at once; what an edge must do is to fetch the new one soon. The service cannot
 * delete anything at an edge, so edges ask: a hit whose data centre has not asked for `CHECK_AFTER_MS` asks in the background (T + 60 s at
 * the latest, under traffic) and rewrites KV. Two delays could undo that, and neither lasts:
 *
 * - the data centre that rewrote KV reads the old value for up to `KV_CACHE_S` more, and would serve it. It therefore keeps the newest
 *   document in its own cache as well, and of the two copies the one that the service confirmed later is served;
 * - another data centre sees the rewrite after up to 60 s of replication. It does not depend on it: its own check is due within 60 s.
 *
 * So a data centre with traffic serves the new document 60 s + one visit after the rotation, at most two minutes with replication behind it;
 * one without traffic serves one old copy and asks meanwhile. The agent that met it asks again with `Cache-Control: no-cache`, and is
 * served what the service has.
 *
 * A document is valid for 24 h and signed again when less than 12 h remain. A copy is at most 1 h old in KV and 1 h old at the agent, so at
 * least 10 h of validity remain for every reader.
 */

/** docs/collector.md: the cache holds a manifest for one hour. Seconds, as KV takes them. */
export const KV_TTL_S = 3600;
/** The copy for outages of the service: as long as a document can be valid. */
export const KV_STALE_TTL_S = 86_400;
/** How long a data centre may answer a KV read from its own cache: the platform's minimum. */
export const KV_CACHE_S = 60;
/** A hit asks the service again when this data centre has not asked for so long. */
export const CHECK_AFTER_MS = 60_000;
/** How often a data centre lets a request with `no-cache` through to the service: a limit for clients that send nothing else. */
export const BYPASS_EVERY_MS = 30_000;
/** How long a data centre keeps its own newest document: longer than the two delays above (60 s + 60 s) with room to spare. Seconds. */
export const LOCAL_TTL_S = 300;
/** The longest that a visitor waits for the service, body included. */
export const SERVICE_TIMEOUT_MS = 3000;
