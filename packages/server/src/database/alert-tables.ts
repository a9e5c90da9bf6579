/** The tables of alerts as types: rules, alerts, channels and messages. Times in epoch ms, flags 0 and 1. */

/** What is remembered of a property from one look to the next. */
interface AlertWatchesTable {
  attribution_id: string;
  organization_id: string;
  /** The newest look. */
  evaluated_at: number;
  /** Since when looks have followed each other without a hole: what did not come before may have come unseen. */
  watching_since: number;
  /** Of its first visit ever; null: none has come. */
  first_visit_at: number | null;
}

/** Bots and engines that have come at least once: who is not here is new. */
interface AlertSeenTable {
  attribution_id: string;
  organization_id: string;
  kind: 'bot' | 'engine';
  name: string;
  first_at: number;
}

/** What differs from the defaults of a kind. */
interface AlertRulesTable {
  attribution_id: string;
  organization_id: string;
  kind: string;
  enabled: number;
  /** null: the default of this version. */
  threshold: number | null;
  /** Until then it sends nothing; null, or in the past: it sends. */
  muted_until: number | null;
}

interface AlertSettingsTable {
  attribution_id: string;
  organization_id: string;
  /** One message per rule and subject in this time. */
  repeat_hours: number;
}

interface AlertsTable {
  /** `alt_` and 32 hex digits. */
  id: string;
  organization_id: string;
  attribution_id: string;
  kind: string;
  /** A bot, an engine, a destination; empty: the property as a whole. */
  subject: string;
  at: number;
  /** null: it holds. */
  resolved_at: number | null;
  title: string;
  text: string;
  now: number;
  /** null: there is nothing usual. */
  usual: number | null;
  unit: string;
  /** Path in the dashboard below the property. */
  link: string;
  /** What was said of it last, and when it was last said that it holds. */
  /** The last message about it; `muted`: there was none, since its rule was muted when it began. */
  told: 'opened' | 'resolved' | 'muted';
  told_at: number;
  /** A person has seen it: it is not repeated while it holds. */
  acknowledged_at: number | null;
  /** The actor. */
  acknowledged_by: string | null;
}

interface AlertChannelsTable {
  /** `ach_` and 32 hex digits. */
  id: string;
  organization_id: string;
  /** null: of all properties of the organization. */
  attribution_id: string | null;
  type: 'email' | 'slack' | 'webhook';
  name: string;
  /** JSON of address and secret, encrypted for `alert-channel:<id>`; empty once deleted. */
  sealed: string;
  enabled: number;
  /** JSON array of the kinds that it gets; null: all. */
  kinds: string | null;
  created_at: number;
  updated_at: number;
  deleted_at: number | null;
}

/** One for each alert, change of it and channel. */
interface AlertMessagesTable {
  /** `msg_` and 32 hex digits: what a receiver knows it by. */
  id: string;
  organization_id: string;
  attribution_id: string;
  alert_id: string;
  channel_id: string;
  phase: 'opened' | 'resolved';
  state: 'pending' | 'sent' | 'failed';
  attempts: number;
  /** When its turn comes (pending); else null. */
  next_at: number | null;
  created_at: number;
  /** Of the newest attempt. */
  tried_at: number | null;
  error: string | null;
}

export interface AlertTables {
  alert_watches: AlertWatchesTable;
  alert_seen: AlertSeenTable;
  alert_rules: AlertRulesTable;
  alert_settings: AlertSettingsTable;
  alerts: AlertsTable;
  alert_channels: AlertChannelsTable;
  alert_messages: AlertMessagesTable;
}
