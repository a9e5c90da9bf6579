/** Texts for channels, attribution models and match results. */
import { CHANNELS, type Channel, type CreditModel } from '@ghostlight/core/conversion';
import type { Conversion, Dimension } from '../../features/conversions/api.ts';
import { visible } from '../../format/visible.ts';

export const DIMENSION_NAMES: Readonly<Record<Dimension, string>> = {
  channel: 'Channel',
  campaign: 'Campaign',
  source: 'Source',
};

export interface ModelWords {
  readonly name: string;
  readonly about: string;
}

/** No model credits a direct visit while there is another one. */
export const MODEL_WORDS: Readonly<Record<CreditModel, ModelWords>> = {
  last_click: {
    name: 'Last click',
    about: 'Credit goes to the last visit that was not direct, as in Google Analytics.',
  },
  last_paid_click: {
    name: 'Last paid click',
    about:
      'All credit goes to the last paid click in the attribution window; without one, to the last visit that was not direct.',
  },
  first_click: {
    name: 'First click',
    about:
      'All credit goes to the first visit in the attribution window: what brought people here originally.',
  },
  linear: {
    name: 'Linear',
    about: 'Every visit in the attribution window gets the same share.',
  },
  position_based: {
    name: 'Position based',
    about:
      'The first and the last visit get 40% each; those between share the remaining 20%. Two visits get half each.',
  },
  time_decay: {
    name: 'Time decay',
    about: 'Visits closer to the conversion get more credit, with a half-life of seven days.',
  },
};

/** Id and name of each channel, in the order in which a visit is sorted into them. */
export const CHANNEL_NAMES = Object.entries(CHANNELS);

/** An unknown channel, of a newer service, is shown as received. */
export function channelName(channel: string): string {
  return CHANNELS[channel as Channel] ?? channel.replaceAll('_', ' ');
}

/** The name of a row; an empty key says what is missing. */
export function keyName(key: string, by: Dimension): string {
  if (key !== '') return by === 'channel' ? channelName(key) : visible(key);
  return by === 'campaign' ? 'No campaign' : by === 'source' ? 'No source' : 'Not matched';
}

const MISSING: Readonly<Record<string, string>> = {
  no_visitor_id:
    'The post has no visitor_id. Send the result of getVisitorId() from the page where the order is placed.',
  unknown_visitor:
    'No visit with this visitor_id is known. Check that the SDK is on your landing pages and that the ID is sent unchanged.',
  outside_lookback:
    'The visitor is known, but has no visit in the attribution window: their visits are older, or came after the conversion.',
};

/** Why a conversion has no visit, and what to do; empty when it has one. */
export function missingMatch({
  topic,
  order,
  session_matched: matched,
  match_reason: reason,
}: Pick<Conversion, 'topic' | 'order' | 'session_matched' | 'match_reason'>): string {
  const isUnknownOrder = topic === 'refund' && order === null;
  if (isUnknownOrder) {
    return 'No purchase or subscription with this conversion ID is known (yet). Until it is, the refund is not subtracted from any value.';
  }
  if (matched) return '';
  return topic === 'refund' ? 'Its order has no matching visit.' : (MISSING[reason] ?? '');
}

/** What a journey without any visit says instead. */
export function missingJourney({
  session_matched: matched,
  match_reason: reason,
  channel,
}: Pick<Conversion, 'session_matched' | 'match_reason' | 'channel'>): string {
  if (!matched) {
    return reason === 'outside_lookback' ? 'No visit is in the attribution window.' : 'No visit is known.';
  }
  return channel === 'direct'
    ? 'A direct visit: no ad, link or search led to it.'
    : 'The visits are no longer kept.';
}
