/** The filters of the list of conversions, as the service is asked for them. */
import { type Period, periodQuery } from '../../../format/period.ts';
import type { ConversionSearch } from '../search.ts';

/** What narrows the list, and would be undone by "Clear". */
export const LIST_FILTERS = ['topic', 'matched', 'channel', 'campaign', 'q'] as const;

export function isFiltered(search: ConversionSearch): boolean {
  return LIST_FILTERS.some((name) => search[name] !== undefined);
}

/** What the list asks for; the same period as the report beside it. */
export function listQuery(search: ConversionSearch, period: Period): Record<string, string> {
  const { topic, matched, channel, campaign, q } = search;
  return Object.fromEntries(
    Object.entries({
      ...periodQuery(period),
      topic,
      matched: matched === undefined ? undefined : String(matched === 'yes'),
      channel,
      campaign,
      q: q?.trim(),
    }).filter((pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== ''),
  );
}
