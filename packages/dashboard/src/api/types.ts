/** Types of the API, taken from its OpenAPI document. Times are ISO 8601. */
import type { Answer } from './client.ts';
import type {
  Lists,
  NewIngestKey,
  Property,
  LiveItem as Row,
  Session,
  SetupDiagnosis,
} from './schema.gen.ts';

export type {
  IngestKey,
  IssuedIngestKey as IssuedKey,
  Lists,
  LiveSummary as LiveSummaryAnswer,
  LogSource,
  Property,
  Session,
  SetupDiagnosis,
  SignIn,
} from './schema.gen.ts';

/** A row of Live; a row that this page made has no arrival time. */
export type LiveItem = Omit<Row, 'received_at' | 'event_name'> &
  Partial<Pick<Row, 'received_at' | 'event_name'>>;
export type HitClass = LiveItem['class'];
export type Intent = Exclude<LiveItem['intent'], ''>;
/** A source that a key can be issued for. An existing key may belong to a removed source. */
export type Provider = NewIngestKey['provider'];

/** Roles of an organization, the strongest first. */
export const ROLES = ['owner', 'admin', 'viewer'] as const satisfies readonly Session['role'][];
export type Role = Session['role'];

export type PropertyFields = Pick<Property, 'name' | 'domain' | 'time_zone'>;
export type SetupSource = SetupDiagnosis['sources'][number];
export type SetupFinding = SetupDiagnosis['findings'][number];
/** A rejected element as received. The service removes addresses and query values. */
export type RejectedElement = Answer<'GET /api/v1/properties/{id}/quarantine'>['items'][number];
/** One file that the service reads daily: published address ranges, or the keys that agents sign with. */
export type ListSource = Lists['sources'][number];
