/** Names and sentences for how people came, how credit is shared, and what to do where it could not be. */
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

/** None gives a direct visit anything as long as there is another. */
export const MODEL_WORDS: Readonly<Record<CreditModel, ModelWords>> = {
  last_click: {
    name: 'Last click',
    about:
      'All credit goes to the last visit in the window that was not direct, as in Google Analytics. Conversions are recorded with this model.',
  },
  last_paid_click: {
    name: 'Last paid click',
    about:
      'All credit goes to the last paid click in the window; without one, to the last visit that was not direct.',
  },
  first_click: {
    name: 'First click',
    about: 'All credit goes to the first visit in the window: what brought people here to begin with.',
  },
  linear: {
    name: 'Linear',
    about: 'Every visit in the window gets the same share.',
  },
  position_based: {
    name: 'Position based',
    about:
      'The first and the last visit get 40 % each; those between share the remaining 20 %. Two share by halves.',
  },
  time_decay: {
    name: 'Time decay',
    about: 'The nearer a visit is to the conversion, the more it gets: a share halves with every seven days.',
  },
};

/** Id and name of each channel, in the order in which a visit is sorted into them. */
export const CHANNEL_NAMES = Object.entries(CHANNELS);

/** A channel that a newer service may know is shown as it came. */
export function channelName(channel: string): string {
  return CHANNELS[channel as Channel] ?? channel.replaceAll('_', ' ');
}

/** What a row is called; one without a name says what is missing. */
export function keyName(key: string, by: Dimension): string {
  if (key !== '') return by === 'channel' ? channelName(key) : visible(key);
  return by === 'campaign' ? 'No campaign' : by === 'source' ? 'No source' : 'Not matched';
}

/** Why a conversion belongs to no visit, and what to do about it; empty when it does. */
export function missingMatch(reason: string | null): string {
  switch (reason) {
    case 'no_visitor_id':
      return 'The post carried no visitor_id. Pass on what getVisitorId() says on the page where the order is placed.';
    case 'unknown_visitor':
      return 'Nobody with this visitor_id was seen on your pages. Is the SDK on the landing pages, and the id passed on unchanged?';
    case 'outside_lookback':
      return 'The visitor was here, but longer ago than the look-back window reaches.';
    default:
      return '';
  }
}
