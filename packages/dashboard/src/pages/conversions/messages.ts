/** Texts for channels, attribution models and match results. */
import { CHANNELS, type Channel, type CreditModel } from '@ghostlight/core/conversion';
import type { Dimension } from '../../features/conversions/api.ts';
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
    about:
      'All credit goes to the last visit in the attribution window that was not direct, as in Google Analytics.',
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

/** Why a conversion has no visit, and what to do; empty when it has one. */
export function missingMatch(reason: string | null): string {
  switch (reason) {
    case 'no_visitor_id':
      return 'The post has no visitor_id. Send the result of getVisitorId() from the page where the order is placed.';
    case 'unknown_visitor':
      return 'No visit with this visitor_id is known. Check that the SDK is on your landing pages and that the id is sent unchanged.';
    case 'outside_lookback':
      return 'The visitor’s visits are outside the attribution window.';
    default:
      return '';
  }
}
