/** Pictures of share links: made of a report, kept for some minutes, so that a page with a million readers asks the warehouse once. */

import { PERIOD_NAMES, type PeriodName } from '@ghostlight/core/periods';
import { MINUTE_MS } from '@ghostlight/core/time';
import type { Clock, ShareCaller } from '../common/index.ts';
import type { Properties } from '../properties/index.ts';
import type { ReadReport } from '../reports/index.ts';
import type { ShareLink } from './links.ts';
import { badge } from './picture.ts';
import { callerFor } from './shared.ts';

const KEPT_MS = 10 * MINUTE_MS;
const MOST_KEPT = 500;
/** Reports for pictures that are read at the same time. */
const AT_ONCE = 4;

export interface PictureRequest {
  readonly period: PeriodName;
  readonly theme: 'light' | 'dark';
}

export type MakePicture = (link: ShareLink, request: PictureRequest) => Promise<string>;

export const PICTURE_PERIODS = PERIOD_NAMES.filter((name) => name !== 'today' && name !== 'yesterday');

interface BotsAnswer {
  readonly population: string;
  readonly over_quota_days: readonly string[];
  readonly totals: { readonly hits: number };
  readonly series: readonly { readonly day: string; readonly hits: number }[];
}

export function createPictures({
  readReport,
  properties,
  onBehalfOf,
  clock,
}: {
  readReport: ReadReport;
  properties: Pick<Properties, 'get'>;
  onBehalfOf: <T>(caller: ShareCaller, run: () => Promise<T>) => Promise<T>;
  clock: Clock;
}): MakePicture {
  const kept = new Map<string, { readonly at: number; readonly svg: Promise<string> }>();
  let running = 0;
  const waiting: (() => void)[] = [];

  const inTurn = async <T>(run: () => Promise<T>): Promise<T> => {
    if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };

  const make = async (link: ShareLink, { period, theme }: PictureRequest): Promise<string> => {
    const caller = callerFor(link);
    const { domain } = await properties.get(caller.scope, link.propertyId);
    const answer = (await onBehalfOf(caller, () =>
      readReport('bots', {
        ...{ caller, id: link.propertyId, query: { period, limit: '1' } },
        signal: AbortSignal.timeout(KEPT_MS),
      }),
    )) as BotsAnswer;
    return badge({
      subject: domain,
      title: `AI bot visits, ${period.replaceAll('_', ' ')}`,
      population: answer.population === 'all' ? 'all' : 'verified and unknown',
      overQuota: answer.over_quota_days.length,
      total: Math.round(answer.totals.hits),
      days: answer.series,
      theme,
    });
  };

  return async (link, request) => {
    const name = `${link.id} ${request.period} ${request.theme}`;
    const found = kept.get(name);
    if (found !== undefined && clock() - found.at < KEPT_MS) return await found.svg;
    const svg = inTurn(() => make(link, request));
    kept.delete(name);
    kept.set(name, { at: clock(), svg });
    if (kept.size > MOST_KEPT)
      for (const oldest of kept.keys()) {
        kept.delete(oldest);
        break;
      }
    try {
      return await svg;
    } catch (error) {
      // A fault is no picture to keep.
      if (kept.get(name)?.svg === svg) kept.delete(name);
      throw error;
    }
  };
}
