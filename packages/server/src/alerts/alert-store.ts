/** The alerts that there are: what begins, goes on and ends is written down here, with the messages that follow from it, in one transaction. */
import { randomBytes } from 'node:crypto';
import { HOUR_MS } from '@ghostlight/core/time';
import type { Database, Row } from '../database/index.ts';
import type { Owner } from '../properties/index.ts';
import { FACTS, type Kind, kindsOf } from './kinds.ts';
import { type Finding, type Over, titleOnceOver } from './rules/index.ts';

/** Open ones of a property: as many as there can be bots and destinations. */
const MAX_OPEN = 2_000;
/** New alerts of one kind per evaluation; conditions that persist open at the next one. First visits beyond this are not reported: so many at once need no more. */
const MAX_NEW = 50;

export type AlertRow = Row<'alerts'>;
type Trx = Database['kysely'];

/** What one look has found of one kind. */
export interface Found {
  readonly kind: Kind;
  readonly findings: readonly Finding[];
  isOver(open: { readonly subject: string; readonly at: number }): Over;
}

export interface Look {
  /** Epoch ms. */
  readonly now: number;
  readonly repeatHours: number;
  /** A kind that is not here is not looked at any more: what is open of it ends in silence. */
  readonly found: readonly Found[];
  /** Kinds of which nothing is sent now; their alerts are written down. */
  readonly muted: ReadonlySet<Kind>;
}

/** @returns how many messages were written */
export async function record(trx: Trx, owner: Owner, look: Look): Promise<number> {
  const open = await trx
    .selectFrom('alerts')
    .selectAll()
    .where('attribution_id', '=', owner.id)
    .where('organization_id', '=', owner.organizationId)
    .where('resolved_at', 'is', null)
    .orderBy('at')
    .limit(MAX_OPEN)
    .execute();
  const told: Told[] = [];
  const standing = new Map(open.map((alert) => [`${alert.kind}/${alert.subject}`, alert]));
  for (const { kind, findings } of look.found) {
    let begun = 0;
    for (const finding of findings) {
      const key = `${kind}/${finding.subject}`;
      const alert = standing.get(key);
      standing.delete(key);
      if (alert === undefined) {
        begun += 1;
        if (begun > MAX_NEW) continue;
      }
      const say =
        alert === undefined
          ? await begin(trx, owner, kind, finding, look)
          : await goOn(trx, alert, finding, look);
      if (say !== null) told.push({ ...say, kind });
    }
  }
  // What is left was not found again.
  for (const alert of standing.values()) {
    const rule = look.found.find(({ kind }) => kind === alert.kind);
    const over = rule === undefined ? 'silently' : rule.isOver(alert);
    if (over === 'no') continue;
    const added = typeof over === 'string' ? {} : { text: `${alert.text} ${over.silently}` };
    const kind = alert.kind as Kind;
    // Of what was muted from its beginning on, no one heard; while it is muted, what was heard stays as it is.
    const isSaid = over === 'yes' && alert.told === 'opened' && !FACTS[kind].isNews && !look.muted.has(kind);
    await change(trx, alert, {
      resolved_at: look.now,
      title: titleOnceOver(kind, alert.title),
      ...added,
      ...(isSaid ? { told: 'resolved' as const } : {}),
    });
    if (isSaid) told.push({ alertId: alert.id, phase: 'resolved', kind });
  }
  return await tell(trx, owner, told, look.now);
}

interface Told {
  readonly kind: Kind;
  readonly alertId: string;
  readonly phase: 'opened' | 'resolved';
}

async function begin(
  trx: Trx,
  { id, organizationId }: Owner,
  kind: Kind,
  finding: Finding,
  { now, repeatHours, muted }: Look,
): Promise<Omit<Told, 'kind'> | null> {
  const last = await trx
    .selectFrom('alerts')
    .selectAll()
    .where('attribution_id', '=', id)
    .where('organization_id', '=', organizationId)
    .where('kind', '=', kind)
    .where('subject', '=', finding.subject)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  // It comes and goes: the same alert continues, without another message before its time.
  if (last !== undefined && now - last.told_at < repeatHours * HOUR_MS) {
    await change(trx, last, { ...columnsOf(finding), resolved_at: null });
    return null;
  }
  const alertId = `alt_${randomBytes(16).toString('hex')}`;
  const inserted = await trx
    .insertInto('alerts')
    .values({
      id: alertId,
      organization_id: organizationId,
      attribution_id: id,
      kind,
      subject: finding.subject,
      at: now,
      resolved_at: null,
      ...columnsOf(finding),
      told: muted.has(kind) ? 'muted' : 'opened',
      told_at: now,
      acknowledged_at: null,
      acknowledged_by: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted === undefined || muted.has(kind) ? null : { alertId, phase: 'opened' };
}

async function goOn(
  trx: Trx,
  alert: AlertRow,
  finding: Finding,
  { now, repeatHours, muted }: Look,
): Promise<Omit<Told, 'kind'> | null> {
  const kind = alert.kind as Kind;
  // A message said that it was resolved, and it isn't: readers of messages alone need one more.
  const isBack = alert.told === 'resolved' && now - alert.told_at >= repeatHours * HOUR_MS;
  // It began while its rule was muted, and outlasts that.
  const isUnmuted = alert.told === 'muted' && !FACTS[kind].isNews;
  const isSaid = (isBack || isUnmuted) && alert.acknowledged_at === null && !muted.has(kind);
  // The worst of it is shown, as far as it has come.
  const isWorse = finding.now > alert.now || (finding.text !== alert.text && finding.now === alert.now);
  if (!isSaid && !isWorse) return null;
  await change(trx, alert, {
    ...(isWorse ? columnsOf(finding) : {}),
    ...(isSaid ? { told: 'opened' as const, told_at: now } : {}),
  });
  return isSaid ? { alertId: alert.id, phase: 'opened' } : null;
}

const columnsOf = ({ title, text, now, usual, unit, link }: Finding) => ({
  title,
  text,
  now,
  usual,
  unit,
  link,
});

async function change(trx: Trx, alert: AlertRow, columns: Partial<Omit<AlertRow, 'id'>>): Promise<void> {
  await trx
    .updateTable('alerts')
    .set(columns)
    .where('id', '=', alert.id)
    .where('organization_id', '=', alert.organization_id)
    .execute();
}

async function tell(
  trx: Trx,
  { id, organizationId }: Owner,
  told: readonly Told[],
  now: number,
): Promise<number> {
  if (told.length === 0) return 0;
  const channels = await trx
    .selectFrom('alert_channels')
    .select(['id', 'kinds'])
    .where('organization_id', '=', organizationId)
    .where(({ or, eb }) => or([eb('attribution_id', '=', id), eb('attribution_id', 'is', null)]))
    .where('deleted_at', 'is', null)
    .where('enabled', '=', 1)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const messages = told.flatMap(({ alertId, phase, kind }) =>
    channels
      .filter(({ kinds }) => kindsOf(kinds)?.includes(kind) ?? true)
      .map((channel) => ({
        id: `msg_${randomBytes(16).toString('hex')}`,
        organization_id: organizationId,
        attribution_id: id,
        alert_id: alertId,
        channel_id: channel.id,
        phase,
        state: 'pending' as const,
        attempts: 0,
        next_at: now,
        created_at: now,
        tried_at: null,
        error: null,
      })),
  );
  // SQLite and PostgreSQL alike: below their number of parameters.
  for (let from = 0; from < messages.length; from += 500)
    await trx
      .insertInto('alert_messages')
      .values(messages.slice(from, from + 500))
      .execute();
  return messages.length;
}
