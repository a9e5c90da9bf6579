/**
 * Every table of the state database: whose its rows are, and what they are. A table stands after those that it refers to, so that rows are
 * written in this order and deleted in the reverse one. What goes through all tables (deletion, takeout) reads this register; a table
 * without an entry fails the check of types, one whose columns say otherwise fails `table-register.test.ts`.
 */
import type { Tables } from './tables.ts';

export interface TableEntry {
  /** The column that names the property; null: its rows are of no property. */
  readonly property: 'attribution_id' | 'id' | null;
  /** The column that names the organization; null: its rows are of none. */
  readonly organization: 'organization_id' | 'id' | null;
  /** Where rows are of a person, and go with the account: the column that names it. */
  readonly person?: 'person_id' | 'id';
  /** What its rows are, for people: the plural. */
  readonly holds: string;
  /** Why rows stay when their property or organization is deleted, emptied of what they said. */
  readonly stays?: string;
}

const ofProperty = (holds: string): TableEntry => ({
  property: 'attribution_id',
  organization: 'organization_id',
  holds,
});
const ofOrganization = (holds: string): TableEntry => ({
  property: null,
  organization: 'organization_id',
  holds,
});
const ofInstallation = (holds: string): TableEntry => ({ property: null, organization: null, holds });
const ofPerson = (holds: string): TableEntry => ({
  property: null,
  organization: null,
  person: 'person_id',
  holds,
});

export const TABLES = {
  installation: ofInstallation('facts of the installation'),
  locks: ofInstallation('locks'),
  list_snapshots: ofInstallation('copies of lists'),
  organizations: {
    property: null,
    organization: 'id',
    holds: 'organizations',
    stays: 'its ID is never given out again',
  },
  properties: {
    property: 'id',
    organization: 'organization_id',
    holds: 'properties',
    stays: 'its ID is never given out again',
  },
  people: { property: null, organization: null, person: 'id', holds: 'people' },
  credentials: ofPerson('passwords'),
  members: { ...ofOrganization('members'), person: 'person_id' },
  member_properties: { ...ofProperty('members’ access to properties'), person: 'person_id' },
  identities: ofPerson('identities at the company’s provider'),
  used_sign_ins: ofInstallation('sign-ins that came back'),
  second_factors: ofPerson('second factors'),
  recovery_codes: ofPerson('recovery codes'),
  one_time_links: { ...ofOrganization('invitations and links'), person: 'person_id' },
  api_tokens: { ...ofProperty('API tokens'), person: 'person_id' },
  sign_in_sessions: { ...ofOrganization('sign-ins'), person: 'person_id' },
  audit_log: ofOrganization('entries of the audit log'),
  deletions: {
    ...ofProperty('records of deletions'),
    stays: 'it is the record of the deletion itself',
  },
  takeouts: ofOrganization('takeouts'),
  repeatable_requests: ofProperty('answers to repeated requests'),
  retention_runs: ofProperty('runs of retention'),
  ingest_keys: ofProperty('ingest keys'),
  logpush_claims: ofOrganization('digests of uploads'),
  setup_signals: ofProperty('signs of the setup'),
  quarantine: ofProperty('refused log objects'),
  event_settings: ofProperty('settings of browser events'),
  visitors: ofProperty('visitors'),
  sessions: ofProperty('sessions'),
  touches: ofProperty('touches'),
  seen_events: ofProperty('IDs of events'),
  event_arrivals: ofProperty('times of first events'),
  event_origins: ofProperty('origins of events'),
  erased_visitors: ofProperty('marks of erased visitors'),
  tracking_domains: ofProperty('tracking domains'),
  webhook_settings: ofProperty('settings of webhooks'),
  webhook_keys: ofProperty('webhook keys'),
  webhook_shops: ofProperty('shop platforms'),
  webhook_redactions: ofProperty('requests to forget customers'),
  webhook_requests: ofProperty('webhook requests'),
  conversions: ofProperty('conversions'),
  browser_conversions: ofProperty('conversions seen by browsers'),
  destinations: ofProperty('destinations'),
  deliveries: ofProperty('deliveries'),
  webmcp_keys: ofProperty('signing keys'),
  webmcp_manifests: ofProperty('manifests'),
  webmcp_drafts: ofProperty('drafts of manifests'),
  webmcp_versions: ofProperty('versions of manifests'),
  sitemaps: ofProperty('sitemaps'),
  daily_rows: ofProperty('counted days'),
  daily_leftovers: ofProperty('days counted twice'),
  over_quota_days: ofProperty('days over the quota'),
  bot_firsts: ofProperty('first visits of bots'),
  bot_firsts_learnt: ofProperty('times of first visits'),
  alert_watches: ofProperty('times of looks for alerts'),
  alert_seen: ofProperty('bots and engines known to alerts'),
  alert_rules: ofProperty('alert rules'),
  alert_settings: ofProperty('settings of alerts'),
  alert_channels: ofProperty('alert channels'),
  alerts: ofProperty('alerts'),
  alert_messages: ofProperty('messages of alerts'),
  share_links: ofProperty('share links'),
  report_mails: { ...ofProperty('mails of reports'), person: 'person_id' },
} as const satisfies Readonly<Record<keyof Tables, TableEntry>>;

export type TableName = keyof typeof TABLES;

/** Parents first. */
export const TABLE_NAMES = Object.keys(TABLES) as readonly TableName[];

export const entryOf = (table: TableName): TableEntry => TABLES[table];
