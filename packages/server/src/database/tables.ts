/**
 * Every table of the state database as a type. Times are epoch milliseconds; ids are lower-case UUIDs; what a row belongs to is
 * `organization_id`. Money, when it comes, is decimal text.
 */
import type { Generated, Insertable, Selectable } from 'kysely';
import type { AlertTables } from './alert-tables.ts';
import type { DeletionTables } from './deletion-tables.ts';
import type { ForwardingTables } from './forwarding-tables.ts';
import type { PeopleTables } from './people-tables.ts';
import type { ReportTables } from './report-tables.ts';
import type { SessionTables } from './session-tables.ts';
import type { SharingTables } from './sharing-tables.ts';
import type { WebhookTables } from './webhook-tables.ts';

/** Deleting is a mark, as with properties. */
interface OrganizationsTable {
  id: string;
  name: string;
  created_at: number;
  deleted_at: Generated<number | null>;
  /** Visits that its properties may store a day, all together; null: as the installation says. */
  quota_hits: Generated<number | null>;
}

/** A property's id is its attribution ID. Deleting is a mark, so that an id is never given out again. */
interface PropertiesTable {
  id: string;
  organization_id: string;
  name: string;
  /** Host in lower case, without port and trailing dot; international names in their ASCII form. */
  domain: string;
  /** IANA name, canonical; its days are the days of reports. */
  time_zone: Generated<string>;
  /** 1: crawlers of search engines are told apart and stored. */
  search_engines: Generated<number>;
  /** `YYYY-MM-DD`: the first day that is of this zone; those before are of the zone of then. null: every day. */
  zone_since_day: string | null;
  /** When that day begins: the day before ended by its own zone. Epoch milliseconds; null with `zone_since_day`. */
  zone_since_at: number | null;
  /** The zone was changed then, and days are still counted again; null: they are done. */
  recount_asked_at: number | null;
  /** The list of first steps was dismissed then; null: it is shown. */
  onboarding_dismissed_at: number | null;
  /** JSON: class of data → days; null: as the installation says. */
  retention: Generated<string | null>;
  /** Visits that it may store a day; null: as the installation says. */
  quota_hits: Generated<number | null>;
  /** What counted when its use was counted last: its own quota or its organization's; null: there is none. */
  quota_limit: Generated<number | null>;
  quota_of: Generated<'property' | 'organization'>;
  /** Of that quota. */
  quota_used: Generated<number>;
  quota_state: Generated<'open' | 'no_samples' | 'closed'>;
  /** Until when the state holds: the end of its day. Epoch milliseconds. */
  quota_until: Generated<number | null>;
  created_at: number;
  updated_at: number;
  deleted_at: number | null;
}

/** The full key stands nowhere: `prefix` is for people, `digest` (SHA-256, hex) for look-up. */
interface IngestKeysTable {
  id: string;
  organization_id: string;
  /** The key's default property; null: every element must name one. */
  attribution_id: string | null;
  name: string;
  provider: string;
  prefix: string;
  digest: string;
  created_at: number;
  last_used_at: number | null;
  /** The network of its address: `203.0.113.0/24`. */
  last_used_from: Generated<string | null>;
  revoked_at: number | null;
  /** `keys/settings.ts`, encrypted. */
  settings: string | null;
  /** Since another key has replaced it: it is good until then. */
  expires_at: number | null;
}

/** `digest` is the SHA-256 (hex) of the cookie's token. */
interface SignInSessionsTable {
  digest: string;
  /** null: sees every organization (the admin token's exchange). */
  organization_id: string | null;
  /** null: the admin token's exchange. */
  person_id: string | null;
  /** Where it was started, for the list that its person sees. */
  address: string | null;
  user_agent: string | null;
  actor: string;
  created_at: number;
  last_seen_at: number;
  expires_at: number;
  /** No visit moves the end beyond it: the session began at a company's provider. null: visits do. */
  ends_at: Generated<number | null>;
}

/** Installation-wide: the lists are the same for all organizations. */
interface ListSnapshotsTable {
  /** Which list, or which source of one. */
  kind: string;
  version: number;
  body: string;
  fetched_at: number;
  etag: string | null;
  /** What the last fetch said, as JSON or a word: the source's own status. */
  source_status: string | null;
}

/** What the setup checker counts; one row per distinct tuple, see `signalKey`. */
interface SetupSignalsTable {
  /** `signalKey` of the five columns below: NULLs would make a plain unique index let doubles through. */
  key: string;
  organization_id: string | null;
  attribution_id: string | null;
  kind: string;
  detail: string;
  endpoint: string;
  count: number;
  first_at: number;
  last_at: number;
  sample: string | null;
}

/** Rejected elements as received, redacted and bounded by the writer. */
interface QuarantineTable {
  id: string;
  organization_id: string;
  attribution_id: string | null;
  endpoint: string;
  reason: string;
  field: string | null;
  body: string;
  at: number;
}

/** Which log push uploads were taken, by any node; `scope` is the ingest key's id. */
interface LogpushClaimsTable {
  scope: string;
  organization_id: string | null;
  digest: string;
  state: 'taking' | 'taken';
  node: string;
  lease_until: number;
  at: number;
}

/** Facts of the installation itself: the encrypted canary and the like. */
interface InstallationTable {
  key: string;
  value: string;
}

interface AuditLogTable {
  id: string;
  /** null: a change of the installation itself. */
  organization_id: string | null;
  at: number;
  actor: string;
  action: string;
  subject: string;
  /** null: a job made the change, or a version before this column. */
  request_id: string | null;
  /** JSON of `AuditChange[]`; null: nothing to compare, or a version before this column. */
  changes: Generated<string | null>;
}

/** The one active signing key of a property. After a rotation the old one is nowhere: nothing that it signed verifies any longer. */
interface WebmcpKeysTable {
  attribution_id: string;
  organization_id: string;
  /** RFC 7638 thumbprint. */
  kid: string;
  /** JSON, as the JWKS shows it. */
  public_jwk: string;
  /** JSON of the private JWK, encrypted for the purpose `webmcp:<attribution_id>`. */
  private_jwk: string;
  created_at: number;
}

/** What is published now; no row: nothing. Signing again changes the document, not the version. */
interface WebmcpManifestsTable {
  attribution_id: string;
  organization_id: string;
  /** Of `webmcp_versions`. */
  version: number;
  /** The signed document, byte for byte as it is sent. */
  document: string;
  etag: string;
  kid: string;
  /** Where the document says that its key lies. */
  jku: string;
  /** JSON array of host names. */
  hosts: string;
  /** JSON array of tools, short forms expanded. */
  tools: string;
  issued_at: number;
  expires_at: number;
  published_at: number;
  published_by: string;
}

interface WebmcpDraftsTable {
  attribution_id: string;
  organization_id: string;
  /** JSON `{hosts, tools}` as the editor left it: not checked. */
  body: string;
  updated_at: number;
  updated_by: string;
}

/** The newest 100 changes per property, each with what was published by it. */
interface WebmcpVersionsTable {
  attribution_id: string;
  organization_id: string;
  version: number;
  at: number;
  actor: string;
  action: 'published' | 'rotated' | 'unpublished';
  hosts: string;
  tools: string;
  tool_count: number;
  /** null: nothing is signed after this change. */
  kid: string | null;
}

/** Changes that were sent with an `Idempotency-Key`, for a day. */
interface RepeatableRequestsTable {
  /** Digest of the caller and the key. */
  id: string;
  /** null: the caller is of none. */
  organization_id: string | null;
  attribution_id: string | null;
  actor: string;
  /** Digest of method, address and body. */
  fingerprint: string;
  /** null: it runs, or its node has died. */
  status: number | null;
  /** Encrypted; null: none, or too long to be kept. */
  answer: string | null;
  at: number;
}

/** Leases of named locks on SQLite; PostgreSQL has advisory locks of its own. */
interface LocksTable {
  name: string;
  holder: string;
  lease_until: number;
}

/** What Kysely knows of the database. */
export interface Tables
  extends SessionTables,
    WebhookTables,
    ForwardingTables,
    PeopleTables,
    ReportTables,
    AlertTables,
    DeletionTables,
    SharingTables {
  organizations: OrganizationsTable;
  properties: PropertiesTable;
  ingest_keys: IngestKeysTable;
  sign_in_sessions: SignInSessionsTable;
  list_snapshots: ListSnapshotsTable;
  setup_signals: SetupSignalsTable;
  quarantine: QuarantineTable;
  logpush_claims: LogpushClaimsTable;
  repeatable_requests: RepeatableRequestsTable;
  installation: InstallationTable;
  audit_log: AuditLogTable;
  webmcp_keys: WebmcpKeysTable;
  webmcp_manifests: WebmcpManifestsTable;
  webmcp_drafts: WebmcpDraftsTable;
  webmcp_versions: WebmcpVersionsTable;
  locks: LocksTable;
}

/** A row as selected, by table name. */
export type Row<T extends keyof Tables> = Selectable<Tables[T]>;
/** A row as inserted, by table name. */
export type NewRow<T extends keyof Tables> = Insertable<Tables[T]>;
