/** Mails of reports: who gets which, and the sending of those that are due. */
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { HOUR_MS, MINUTE_MS } from '@ghostlight/core/time';
import { sql } from 'kysely';
import {
  type Clock,
  createThrottle,
  type Log,
  type PersonCaller,
  ServiceError,
  type TokenCaller,
} from '../../common/index.ts';
import { auditChange, type Database, type Row } from '../../database/index.ts';
import { MailError, type Mailer } from '../../outbound/index.ts';
import type { Properties, Property } from '../../properties/index.ts';
import type { NotCompared, ReadReport } from '../../reports/index.ts';
import { composeMail, type ReportMail } from './compose.ts';
import { nextAt, type Schedule } from './schedule.ts';

/** Of one pass; the rest is due at the next, a few minutes later. */
const MOST_AT_ONCE = 200;
const PASS_TIME_MS = 4 * MINUTE_MS;
const AGAIN_MS = HOUR_MS / 2;
const MOST_ATTEMPTS = 4;
/** A test is one mail a minute. */
const TESTS = { burst: 1, drainMs: MINUTE_MS };

export type ReportMailRow = Row<'report_mails'>;

export interface ReportMails {
  /** null: the person gets none of this property. */
  of(caller: PersonCaller, property: Property): Promise<ReportMailRow | null>;
  /** @throws ServiceError `conflict` where this installation sends no mail */
  set(caller: PersonCaller, property: Property, schedule: Schedule): Promise<ReportMailRow>;
  remove(caller: PersonCaller, property: Property): Promise<void>;
  /** Sends one now. @throws ServiceError `conflict`, `rate_limited`, `unavailable` */
  test(caller: PersonCaller, property: Property): Promise<void>;
  /** Ends a mail by the address in it; nothing happens for one that is gone. @throws ServiceError `not_found` */
  unsubscribe(token: string): Promise<void>;
  /** @throws ServiceError `not_found` */
  check(token: string): void;
  /** Sends what is due; once per cluster, by its job. @returns how many were sent */
  sendDue(signal: AbortSignal): Promise<number>;
  /** Whether mail is sent at all. */
  readonly available: boolean;
}

export interface ReportMailsOptions {
  readonly database: Database;
  readonly properties: Pick<Properties, 'get'>;
  readonly readReport: ReadReport;
  readonly onBehalfOf: <T>(caller: TokenCaller, run: () => Promise<T>) => Promise<T>;
  /** null: this installation sends none. */
  readonly mailer: Mailer | null;
  readonly appBaseUrl: () => string;
  /** The same on every node. */
  readonly secret: string;
  readonly clock: Clock;
  readonly log: Log;
}

export function createReportMails(options: ReportMailsOptions): ReportMails {
  const { database, mailer, clock, log } = options;
  const key = createHmac('sha256', options.secret).update('report-mail').digest();
  const tests = createThrottle(clock, TESTS);
  const tokenOf = (id: string): string =>
    `${id}.${createHmac('sha256', key).update(id).digest('base64url').slice(0, 22)}`;
  const idOf = (token: string): string => {
    const [id = ''] = token.split('.');
    const [given, expected] = [Buffer.from(token), Buffer.from(tokenOf(id))];
    if (given.length === expected.length && timingSafeEqual(given, expected)) return id;
    throw new ServiceError(
      'not_found',
      'This unsubscribe link is not valid; it may have been copied incompletely.',
    );
  };
  const needed = (): Mailer => {
    if (mailer !== null) return mailer;
    throw new ServiceError(
      'conflict',
      'This installation sends no email. Its operator sets SMTP_URL and MAIL_FROM.',
    );
  };
  const own = ({ personId }: PersonCaller, { id, organizationId }: Property) =>
    database.kysely
      .selectFrom('report_mails')
      .selectAll()
      .where('person_id', '=', personId)
      .where('attribution_id', '=', id)
      .where('organization_id', '=', organizationId)
      .executeTakeFirst();

  const compose = async (
    row: Pick<ReportMailRow, 'id' | 'organization_id' | 'attribution_id' | 'every'>,
    email: string,
    signal: AbortSignal,
  ) => {
    const scope = {
      ...{ kind: 'organization' as const, id: row.organization_id },
      properties: new Map([[row.attribution_id, 'viewer' as const]]),
    };
    const caller: TokenCaller = { kind: 'token', scope, role: 'viewer', actor: `mail:${row.id}` };
    const property = await options.properties.get(scope, row.attribution_id);
    const answer = (await options.onBehalfOf(caller, () =>
      options.readReport('overview', {
        ...{ caller, id: row.attribution_id, signal },
        query: { period: row.every === 'week' ? 'last_week' : 'last_month', compare: 'previous' },
      }),
    )) as Overview;
    return composeMail(
      mailFrom(answer, {
        ...{ to: email, property, every: row.every, base: options.appBaseUrl(), token: tokenOf(row.id) },
      }),
    );
  };

  const send = async (row: DueRow, signal: AbortSignal): Promise<boolean> => {
    const now = clock();
    const again = now + AGAIN_MS;
    // Before the attempt: a node that dies in the middle doesn't make the next one send it at once again.
    const claimed = await database.kysely
      .updateTable('report_mails')
      .set({ next_at: again, attempts: row.attempts + 1 })
      .where('id', '=', row.id)
      .where('organization_id', '=', row.organization_id)
      .where('next_at', '=', row.next_at)
      .returning('id')
      .executeTakeFirst();
    if (claimed === undefined) return false;
    /** A schedule that its person has set during the attempt stays as it is. A failure costs the other mails nothing. */
    const settle = async (columns: Partial<ReportMailRow>): Promise<void> => {
      const isNew = sql<boolean>`next_at <> ${again}`;
      const { next_at: next = again, attempts = row.attempts + 1, ...rest } = columns;
      await database.kysely
        .updateTable('report_mails')
        .set({
          ...rest,
          next_at: sql<number>`CASE WHEN ${isNew} THEN next_at ELSE ${next} END`,
          attempts: sql<number>`CASE WHEN ${isNew} THEN attempts ELSE ${attempts} END`,
        })
        .where('id', '=', row.id)
        .where('organization_id', '=', row.organization_id)
        .execute()
        .catch((error: unknown) =>
          log.error({ err: error, mail: row.id }, 'the outcome of a mail of a report could not be written'),
        );
    };
    const next = () => nextAt(row, row.time_zone, now);
    try {
      await needed().send(await compose(row, row.email, signal));
    } catch (error) {
      const word = error instanceof MailError ? error.word : 'internal';
      log.warn({ mail: row.id, error: word, attempt: row.attempts + 1 }, 'a mail of a report was not sent');
      const isOver = row.attempts + 1 >= MOST_ATTEMPTS;
      await settle({ last_error: word, ...(isOver ? { next_at: next(), attempts: 0 } : {}) });
      return false;
    }
    await settle({ next_at: next(), attempts: 0, last_sent_at: now, last_error: null });
    return true;
  };

  return {
    available: mailer !== null,
    of: async (caller, property) => (await own(caller, property)) ?? null,
    async set(caller, property, schedule) {
      needed();
      const at = clock();
      const next = nextAt(schedule, property.timeZone, at);
      await database.kysely.transaction().execute(async (trx) => {
        const { every, day, hour } = schedule;
        const before = await trx
          .selectFrom('report_mails')
          .select(['every', 'day', 'hour'])
          .where('person_id', '=', caller.personId)
          .where('attribution_id', '=', property.id)
          .where('organization_id', '=', property.organizationId)
          .executeTakeFirst();
        await trx
          .insertInto('report_mails')
          .values({
            ...{ id: randomUUID(), organization_id: property.organizationId, attribution_id: property.id },
            ...{ person_id: caller.personId, every, day, hour, created_at: at, next_at: next },
            ...{ last_sent_at: null, last_error: null, attempts: 0 },
          })
          .onConflict((conflict) =>
            conflict
              .columns(['attribution_id', 'person_id'])
              .doUpdateSet({ every, day, hour, next_at: next, attempts: 0, last_error: null }),
          )
          .execute();
        await auditChange(trx, {
          ...{ at, actor: caller.actor, action: 'report_mail.set', subject: property.id },
          organizationId: property.organizationId,
          ...{ before: { ...before }, after: { every, day, hour } },
        });
      });
      const row = await own(caller, property);
      if (row === undefined) throw new Error('A mail that was just set is not there.');
      return row;
    },
    async remove(caller, property) {
      await database.kysely
        .deleteFrom('report_mails')
        .where('person_id', '=', caller.personId)
        .where('attribution_id', '=', property.id)
        .where('organization_id', '=', property.organizationId)
        .execute();
    },
    async test(caller, property) {
      const by = needed();
      const wait = tests.wait(caller.personId);
      if (wait > 0)
        throw new ServiceError('rate_limited', 'You can send one test a minute. Try again shortly.', {
          headers: { 'Retry-After': String(Math.ceil(wait / 1_000)) },
        });
      tests.fail(caller.personId);
      const person = await database.reader
        .selectFrom('people')
        .select('email')
        .where('id', '=', caller.personId)
        .executeTakeFirstOrThrow();
      const row = (await own(caller, property)) ?? null;
      const mail = await compose(
        {
          id: row?.id ?? '00000000-0000-4000-8000-000000000000',
          organization_id: property.organizationId,
          attribution_id: property.id,
          every: row?.every ?? 'week',
        },
        person.email,
        AbortSignal.timeout(MINUTE_MS),
      );
      try {
        await by.send(mail);
      } catch (error) {
        const word = error instanceof MailError ? error.word : 'internal';
        throw new ServiceError('unavailable', `The mail server did not accept it: ${word}.`, {
          cause: error,
        });
      }
    },
    check: (token) => void idOf(token),
    async unsubscribe(token) {
      await database.kysely.deleteFrom('report_mails').where('id', '=', idOf(token)).execute();
    },
    async sendDue(signal) {
      if (mailer === null) return 0;
      const began = clock();
      let sent = 0;
      for (const row of await due(database, began)) {
        if (signal.aborted || clock() - began >= PASS_TIME_MS) break;
        if (await send(row, signal)) sent += 1;
      }
      return sent;
    },
  };
}

type DueRow = ReportMailRow & { readonly email: string; readonly time_zone: string };

/** Of people who may still see the property. */
async function due({ reader }: Database, now: number): Promise<DueRow[]> {
  return await reader
    .selectFrom('report_mails as r')
    .innerJoin('people as p', 'p.id', 'r.person_id')
    .innerJoin('properties as o', (join) =>
      join.onRef('o.id', '=', 'r.attribution_id').onRef('o.organization_id', '=', 'r.organization_id'),
    )
    .innerJoin('members as m', (join) =>
      join.onRef('m.person_id', '=', 'r.person_id').onRef('m.organization_id', '=', 'r.organization_id'),
    )
    .leftJoin('member_properties as a', (join) =>
      join
        .onRef('a.person_id', '=', 'r.person_id')
        .onRef('a.organization_id', '=', 'r.organization_id')
        .onRef('a.attribution_id', '=', 'r.attribution_id'),
    )
    .selectAll('r')
    .select(['p.email', 'o.time_zone'])
    .where('r.next_at', '<=', now)
    .where('o.deleted_at', 'is', null)
    .where(({ eb, or }) => or([eb('m.limited', '=', 0), eb('a.role', 'is not', null)]))
    .orderBy('r.next_at')
    .limit(MOST_AT_ONCE)
    .execute();
}

interface Compared {
  readonly change: number | null;
}
interface Counted {
  readonly hits: number;
  /** The part that comes from samples. */
  readonly estimated: number;
}
type Estimates = Readonly<Record<string, number>>;
interface Overview {
  readonly period: {
    readonly from: string;
    readonly to: string;
    readonly previous: { readonly from: string; readonly to: string } | null;
  };
  readonly not_compared: NotCompared | null;
  readonly over_quota_days: readonly string[];
  readonly population: ReportMail['population'];
  readonly ai_bots: Compared & Counted & { readonly spoofed: number; readonly estimates: Estimates };
  readonly by_intent: readonly (Compared & Counted & { readonly intent: string })[];
  readonly referrals: Compared & { readonly visits: number; readonly estimated: number };
  readonly failures: { readonly failures: number };
  readonly top_bots: readonly (Counted & { readonly bot: string; readonly vendor: string })[];
  readonly top_pages: readonly (Counted & { readonly host: string; readonly path: string })[];
  readonly new_bots: readonly { readonly bot: string }[];
}

function mailFrom(
  answer: Overview,
  {
    to,
    property,
    every,
    base,
    token,
  }: {
    readonly to: string;
    readonly property: Property;
    readonly every: 'week' | 'month';
    readonly base: string;
    readonly token: string;
  },
): ReportMail {
  const { period, ai_bots: bots, by_intent: intents, referrals } = answer;
  const onDemand = intents.find(({ intent }) => intent === 'on_demand');
  const { previous } = period;
  return {
    to,
    property: { name: property.name, domain: property.domain, timeZone: property.timeZone },
    every,
    period: rangeText(period),
    comparison:
      previous === null || answer.not_compared !== null
        ? NO_COMPARISON[answer.not_compared ?? 'not_over']
        : `Compared with ${rangeText(previous)}.`,
    notes: overQuotaNotes(answer.over_quota_days.filter((day) => day >= period.from)),
    figures: [
      { label: 'AI bot visits', value: bots.hits, estimated: bots.estimated, change: bots.change },
      {
        label: 'On demand',
        ...{
          value: onDemand?.hits ?? 0,
          estimated: onDemand?.estimated ?? 0,
          change: onDemand?.change ?? null,
        },
      },
      {
        label: 'AI referrals',
        ...{ value: referrals.visits, estimated: referrals.estimated, change: referrals.change },
      },
    ],
    bots: answer.top_bots.map(({ bot, vendor, hits, estimated }) => ({
      ...{ name: bot, detail: vendor, value: hits, estimated },
    })),
    pages: answer.top_pages.map(({ host, path, hits, estimated }) => ({
      ...{ name: path, detail: host, value: hits, estimated },
    })),
    spoofed: { value: bots.spoofed, estimated: bots.estimates['spoofed'] ?? 0 },
    newBots: answer.new_bots.map(({ bot }) => bot),
    population: answer.population,
    // The days, not the name of the period: next week the link still opens what the mail is about.
    link: `${base}/p/${property.id}/overview?from=${period.from}&to=${period.to}`,
    unsubscribe: `${base}/share/unsubscribe/${token}`,
  };
}

const NO_COMPARISON: Readonly<Record<NotCompared, string>> = {
  not_over: 'No comparison: the period is still in progress.',
  no_earlier_data: 'No comparison: the property has no data for the previous period.',
  over_quota:
    'No comparison: the quota was reached in this period or in the previous one, so the number of visits is unknown.',
};

const MOST_NAMED = 3;

const overQuotaNotes = (days: readonly string[]): string[] =>
  days.length === 0
    ? []
    : [
        `The quota was reached on ${days.length > MOST_NAMED ? `${days.length} days` : days.map((day) => DAY.format(Date.parse(day))).join(', ')}: visits dropped after that are missing from the figures.`,
      ];

const rangeText = ({ from, to }: { readonly from: string; readonly to: string }): string =>
  RANGE.formatRange(Date.parse(from), Date.parse(to));

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const RANGE = new Intl.DateTimeFormat('en-GB', {
  ...{ day: 'numeric', month: 'short', year: 'numeric' },
  timeZone: 'UTC',
});
