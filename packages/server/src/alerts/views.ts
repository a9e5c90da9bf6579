/** The room's rows as the management API shows them. No encrypted column is among them. */
import type { ListedChannel, ShownChannel } from './channels.ts';
import type { RuleHistory } from './history.ts';
import { DEFAULT_POPULATION, FACTS, figuresOf, type Kind, kindsOf } from './kinds.ts';
import type { AlertPage } from './list.ts';
import type { AlertSettings } from './settings.ts';

const time = (at: number): string => new Date(at).toISOString();

type Listed = AlertPage['items'][number];

export const alertView = ({ alert, link, sent }: Listed) => ({
  id: alert.id,
  kind: alert.kind as Kind,
  subject: alert.subject,
  state: alert.resolved_at === null ? ('open' as const) : ('resolved' as const),
  at: time(alert.at),
  resolved_at: alert.resolved_at === null ? null : time(alert.resolved_at),
  acknowledged_at: alert.acknowledged_at === null ? null : time(alert.acknowledged_at),
  acknowledged_by: alert.acknowledged_by,
  title: alert.title,
  text: alert.text,
  figures: figuresOf(alert),
  population: FACTS[alert.kind as Kind].population,
  link,
  sent: sent.map(({ alertId: _alert, channelId, at, ...message }) => ({
    ...message,
    channel: channelId,
    at: time(at),
  })),
});

export const alertPageView = ({ items, next, open, checkedAt }: AlertPage) => ({
  items: items.map(alertView),
  next,
  open,
  checked_at: checkedAt === null ? null : time(checkedAt),
  population: DEFAULT_POPULATION,
});

export const rulesView = ({ rules, repeatHours }: AlertSettings) => ({
  repeat_hours: repeatHours,
  rules: rules.map(({ kind, enabled, threshold, mutedUntil }) => {
    const { title, description, details, unit, fires, default: standard, min, max } = FACTS[kind];
    const muted_until = mutedUntil === null ? null : time(mutedUntil);
    return {
      ...{ kind, title, description, details, enabled, threshold, unit, fires },
      ...{ default: standard, min, max, muted_until },
    };
  }),
});

export const historyView = (history: readonly RuleHistory[], timeZone: string) => ({
  time_zone: timeZone,
  items: history.map(({ kind, days }) => ({
    kind,
    unit: FACTS[kind].unit,
    fires: FACTS[kind].fires,
    // Not rounded: 2.95 does not reach a threshold of 3.
    days: days.map(({ day, value }) => ({
      day,
      value: value === 'unknown' ? null : value,
      reason: value === 'unknown' ? ('unknown' as const) : value === null ? ('too_little' as const) : null,
    })),
  })),
});

export const channelView = ({ row, target }: ShownChannel) => ({
  id: row.id,
  type: row.type,
  name: row.name,
  target,
  enabled: row.enabled === 1,
  everywhere: row.attribution_id === null,
  kinds: kindsOf(row.kinds)?.slice() ?? null,
  created_at: time(row.created_at),
  updated_at: time(row.updated_at),
});

export const listedChannelView = ({ last, ...channel }: ListedChannel) => ({
  ...channelView(channel),
  last: last === null ? null : { ...last, at: time(last.at) },
});
