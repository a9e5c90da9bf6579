/** Alerts as the service shows them. */
export type AlertKind =
  | 'new_bot'
  | 'spike'
  | 'drop_to_zero'
  | 'spoof_surge'
  | 'bot_errors'
  | 'collector_quiet'
  | 'forwarding_failing'
  | 'ai_referral_first';
export type ChannelType = 'email' | 'slack' | 'webhook';

export interface Told {
  channel: string;
  name: string;
  type: ChannelType;
  phase: 'opened' | 'resolved';
  at: string;
  /** null: it waits for its turn, or for another attempt. */
  ok: boolean | null;
  error: string | null;
  attempts: number;
}

export interface Alert {
  id: string;
  kind: AlertKind;
  subject: string;
  state: 'open' | 'resolved';
  at: string;
  resolved_at: string | null;
  title: string;
  text: string;
  figures: { now: number; usual: number | null; unit: 'visits' | 'share' | 'hours' | 'deliveries' };
  /** Where it is looked into, with days and filters: a path below the property. */
  link: string;
  sent: Told[];
}

export interface AlertPage {
  items: Alert[];
  next: string | null;
  open: number;
}

export interface AlertRule {
  kind: AlertKind;
  title: string;
  /** `{n}` stands for the threshold. */
  description: string;
  enabled: boolean;
  threshold: number;
  unit: string;
  default: number;
  min: number;
  max: number;
}

export interface AlertRules {
  repeat_hours: number;
  rules: AlertRule[];
}

export interface RulesChange {
  repeat_hours?: number;
  rules?: { kind: AlertKind; enabled?: boolean; threshold?: number | null }[];
}

export interface Channel {
  id: string;
  type: ChannelType;
  name: string;
  /** null: it can't be opened any more. */
  target: string | null;
  enabled: boolean;
  everywhere: boolean;
  created_at: string;
  updated_at: string;
}

export interface MadeChannel extends Channel {
  secret: string | null;
}

export interface NewChannel {
  type: ChannelType;
  name: string;
  target: string;
  everywhere: boolean;
}

export interface ChannelChange {
  name?: string;
  target?: string;
  enabled?: boolean;
  rotate_secret?: boolean;
}

export interface Channels {
  items: Channel[];
  email_available: boolean;
}

export interface TestResult {
  ok: boolean;
  error: string | null;
}
