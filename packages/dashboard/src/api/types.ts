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

/** A row of Live; one that this page made for itself has no arrival. */
export type LiveItem = Omit<Row, 'received_at' | 'event_name'> &
  Partial<Pick<Row, 'received_at' | 'event_name'>>;
export type HitClass = LiveItem['class'];
export type Intent = Exclude<LiveItem['intent'], ''>;
/** What a key can be issued for; a key that is there may be of a source that is gone. */
export type Provider = NewIngestKey['provider'];

/** What a member of an organization may do; each may what the next one may. */
export const ROLES = ['owner', 'admin', 'viewer'] as const satisfies readonly Session['role'][];
export type Role = Session['role'];

export type PropertyFields = Pick<Property, 'name' | 'domain' | 'time_zone'>;
export type SignInOptions = Answer<'GET /api/v1/sign-in-options'>;
export type ServiceConfig = Answer<'GET /api/v1/config'>;
export type SetupSource = SetupDiagnosis['sources'][number];
export type SetupFinding = SetupDiagnosis['findings'][number];
/** What was refused, as received; addresses and query values are taken out by the service. */
export type RejectedElement = Answer<'GET /api/v1/properties/{id}/quarantine'>['items'][number];
/** One file that the service reads daily: published address ranges, or the keys that agents sign with. */
export type ListSource = Lists['sources'][number];
