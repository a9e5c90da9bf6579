/**
 * Where an alert is looked into: the report with its filters, as the rule wrote it down, at the days in which the finding is seen. Mails,
 * webhooks, Slack, the API and the dashboard all have this one.
 */

import { DAY_MS } from '@ghostlight/core/time';
import { dateOf, daysIn } from '../common/index.ts';
import type { AlertRow } from './alert-store.ts';
import { BASELINE_DAYS } from './baseline.ts';

/** One that stays open for months is still about how it began. */
const MOST_AFTER_DAYS = 30;

/**
 * @param timeZone the property's, whose days reports have
 * @param now epoch ms
 * @returns a path below the property, such as `/bots?bot=GPTBot&from=2026-11-07&to=2026-11-21`
 */
export function alertLink(
  { kind, link, at, resolved_at }: Pick<AlertRow, 'kind' | 'link' | 'at' | 'resolved_at'>,
  timeZone: string,
  now: number,
): string {
  // A destination and the settings show what is now, and have no days.
  if (kind === 'forwarding_failing' || kind === 'quota') return link;
  const days = daysIn(timeZone);
  const over = Math.min(now, resolved_at ?? now, at + MOST_AFTER_DAYS * DAY_MS);
  // What was usual, and then what happened.
  const from = dateOf(days.dayAt(at) - BASELINE_DAYS);
  const to = dateOf(days.dayAt(Math.max(at, over)));
  return `${link}${link.includes('?') ? '&' : '?'}from=${from}&to=${to}`;
}
