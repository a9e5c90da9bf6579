/** A hit or an event as Live and the export show it. */
import type { StoredHit } from '@ghostlight/core';
import { rate } from '../common/index.ts';
import type { ExportedEvent, LiveHit } from '../warehouse/index.ts';

export interface LiveItem extends Omit<LiveHit, 'at' | 'received_at' | 'attribution_id' | 'engine'> {
  /** RFC 3339, UTC, as `received_at`: when the service took it; the Live window runs on this. */
  readonly at: string;
  readonly received_at: string;
}

export function liveItem(hit: LiveHit): LiveItem {
  return {
    id: hit.id,
    at: new Date(hit.at).toISOString(),
    received_at: new Date(hit.received_at).toISOString(),
    class: hit.class,
    bot_name: hit.bot_name,
    vendor: hit.vendor,
    intent: hit.intent,
    verified: hit.verified,
    verified_by: hit.verified_by,
    verdict_reason: hit.verdict_reason,
    ranges_as_of: hit.ranges_as_of,
    method: hit.method,
    host: hit.host,
    path: hit.path,
    status: hit.status,
    country: hit.country,
    user_agent: hit.user_agent,
    referrer_engine: hit.referrer_engine,
    source: hit.source,
    waf_action: hit.waf_action,
    asn: hit.asn,
    signature_agent: hit.signature_agent,
    sample_rate: rate(hit.sample_rate),
    list_version: hit.list_version,
    event_name: hit.event_name,
    sdk_bot: hit.sdk_bot,
  };
}

/** An event in a file. */
export type EventItem = Omit<ExportedEvent, 'at' | 'received_at'> & Pick<LiveItem, 'at' | 'received_at'>;

export const eventItem = ({ id, at, received_at, ...event }: ExportedEvent): EventItem => ({
  id,
  at: new Date(at).toISOString(),
  received_at: new Date(received_at).toISOString(),
  ...event,
});

export interface ExportItem extends Omit<LiveItem, 'signature_agent' | 'list_version'> {
  readonly query_params: Readonly<Record<string, string>>;
  readonly referrer: string;
  readonly bytes: number;
  readonly weight: number;
  readonly worker_version: string;
  readonly ray_id: string;
}

export function exportItem(hit: StoredHit): ExportItem {
  const { query_params, referrer, bytes, weight, worker_version, ray_id } = hit;
  // New columns come after existing ones: columns of files keep their places.
  const {
    waf_action,
    asn,
    sample_rate,
    signature_agent: _agent,
    list_version: _list,
    ...item
  } = liveItem({ ...hit, event_name: '', sdk_bot: false });
  return {
    ...item,
    query_params,
    referrer,
    asn,
    bytes,
    weight: rate(weight),
    sample_rate,
    worker_version,
    ray_id,
    waf_action,
  };
}
