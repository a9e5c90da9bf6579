/** Single visits as they are stored, by time: every class but samples of ordinary traffic, and every verdict, unless a filter says otherwise. */
import { HIT_CLASSES, VERDICT_REASONS, type VerdictReason } from '@ghostlight/core';
import { z } from '@hono/zod-openapi';
import { networkName, rate, ServiceError } from '../../common/index.ts';
import { type Visit, visitsAfter } from '../../warehouse/index.ts';
import { column, defineTable, type ItemOf, integer, number, text } from '../columns.ts';
import type { ReportContext } from '../context.ts';
import { moment } from '../numbers.ts';
import { defineTimeline } from '../report.ts';
import {
  cursorOf,
  cursorParameters,
  type VisitParameters,
  visitParameters,
  visitQuery,
} from '../visit-parameters.ts';

const EXPORT_PAGE_ROWS = 10_000;

const table = defineTable('VisitItem', {
  id: text('Visit'),
  at: column(z.iso.datetime().openapi({ description: 'When the visit was, UTC' }), 'moment', 'Time'),
  received_at: column(z.iso.datetime(), 'moment', 'Received'),
  class: column(z.enum(HIT_CLASSES), 'text', 'Class'),
  bot_name: text('Bot'),
  vendor: text('Vendor'),
  intent: column(z.enum(['training', 'search', 'on_demand', 'other', '']), 'text', 'Intent'),
  verified: column(
    z.boolean().nullable().openapi({ description: 'false: spoofed; null: unknown, or no bot' }),
    'flag',
    'Verified',
  ),
  verified_by: text('Verified by'),
  verdict_reason: column(
    z
      .enum(['', ...(Object.keys(VERDICT_REASONS) as VerdictReason[])])
      .openapi({ description: 'The reason of the verdict; empty for people, and if not recorded' }),
    'text',
    'Reason of the verdict',
  ),
  ranges_as_of: column(
    z.string().openapi({ description: 'Date of the address ranges that decided; empty otherwise' }),
    'text',
    'Address ranges of',
  ),
  signature_agent: column(
    z.string().openapi({ description: 'Who signed the request, as the collector reports it' }),
    'text',
    'Signed by',
  ),
  method: text('Method'),
  host: text('Host'),
  path: text('Path'),
  query_params: column(
    z.record(z.string(), z.string()).openapi({ description: 'Campaign parameters' }),
    'text',
    'Query parameters',
  ),
  status: integer('Status', null, '0: the sender does not say'),
  bytes: integer('Bytes', 'bytes'),
  country: text('Country'),
  asn: integer('Network (ASN)', null, '0: the sender does not say'),
  user_agent: text('User agent'),
  referrer: text('Referrer'),
  referrer_engine: text('Referred by'),
  referral_signal: text('Referral seen in'),
  source: text('Source'),
  worker_version: text('Collector version'),
  ray_id: text('Request ID'),
  waf_action: text('Firewall action'),
  sample_rate: number('Sample rate', 'fraction', '0: no sample'),
  weight: number('Stands for visits', 'visits', 'For how many visits it counts in reports'),
  other_bot: column(z.boolean(), 'flag', 'Unlisted program'),
  list_version: integer('Bot list version', null),
  network: text('Network'),
});

export const visits = defineTimeline({
  name: 'visits',
  path: 'visits',
  summary: 'Stored visits one by one, newest first; pages by cursor, however many there are',
  schema: 'VisitList',
  population: 'all',
  parameters: { ...visitParameters, ...cursorParameters },
  table,
  async run(context, parameters) {
    const { after, before, order, limit } = parameters;
    if (after !== undefined && before !== undefined)
      throw new ServiceError('invalid', 'The query is invalid.', {
        errors: [{ pointer: '/before', message: 'Use "after" or "before", not both.' }],
      });
    const { warehouse, signal } = context;
    const isBack = before !== undefined;
    const turned = order === 'desc' ? ('asc' as const) : ('desc' as const);
    const place = { after: after ?? before ?? null, order: isBack ? turned : order, limit: limit + 1 };
    const found = await visitsAfter(warehouse, visitQuery(context, parameters), place, signal);
    const shown = found.slice(0, limit);
    if (isBack) shown.reverse();
    const isMore = found.length > limit;
    const [first, last] = [shown[0], shown.at(-1)];
    // Who came from a page has that page on the other side.
    const hasPrevious = isBack ? isMore : after !== undefined;
    const hasNext = isBack || isMore;
    return {
      items: shown.map(itemOf),
      previous: hasPrevious && first !== undefined ? cursorOf(first) : null,
      next: hasNext && last !== undefined ? cursorOf(last) : null,
    };
  },
  whole: (context, parameters) => allOf(context, parameters),
});

/** Page by page: what arrives meanwhile neither repeats nor hides a visit. */
async function* allOf(
  context: ReportContext,
  parameters: VisitParameters & { readonly order: 'asc' | 'desc' },
): AsyncGenerator<ItemOf<typeof table>[]> {
  const { warehouse, signal } = context;
  const query = visitQuery(context, parameters);
  const { order } = parameters;
  for (let last: Visit | undefined; ; ) {
    const place = { after: last ?? null, order, limit: EXPORT_PAGE_ROWS };
    const found: Visit[] = await visitsAfter(warehouse, query, place, signal);
    if (found.length > 0) yield found.map(itemOf);
    last = found.at(-1);
    if (found.length < EXPORT_PAGE_ROWS) return;
  }
}

const itemOf = ({
  at,
  received_at,
  weight,
  sample_rate,
  query_params,
  ...visit
}: Visit): ItemOf<typeof table> => ({
  ...visit,
  network: networkName(visit.asn),
  at: moment(at) ?? '',
  received_at: moment(received_at) ?? '',
  query_params: { ...query_params },
  weight: rate(weight),
  sample_rate: rate(sample_rate),
});
