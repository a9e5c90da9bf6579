/** The tables of people as types. Times in epoch ms, except in the two tables that the sign-in library writes. */
import type { Generated } from 'kysely';

/** Model `user` of the sign-in library: its names and forms of times and flags, which differ by dialect. Read the columns named here alone. */
interface PeopleTable {
  id: string;
  name: string;
  /** Lower case. */
  email: string;
  email_verified: unknown;
  image: string | null;
  created_at: unknown;
  updated_at: unknown;
}

/** Model `account` of the sign-in library: the password's scrypt hash. */
interface CredentialsTable {
  id: string;
  person_id: string;
  provider_id: string;
  account_id: string;
  password: string | null;
  created_at: unknown;
  updated_at: unknown;
}

interface MembersTable {
  organization_id: string;
  person_id: string;
  role: 'owner' | 'admin' | 'viewer';
  created_at: number;
  /** 1: a viewer who sees the properties of `member_properties` alone, and none where that has none. */
  limited: Generated<number>;
  /** 1: the groups of the company's provider decide about this membership. */
  by_groups: Generated<number>;
}

/** Who a person is at the company's provider, by the two claims that never change. */
interface IdentitiesTable {
  issuer: string;
  subject: string;
  person_id: string;
  created_at: number;
  last_used_at: number;
}

/** `digest` is the SHA-256 (hex) of a `state` that came back: none is taken twice. */
interface UsedSignInsTable {
  digest: string;
  expires_at: number;
}

interface MemberPropertiesTable {
  organization_id: string;
  person_id: string;
  attribution_id: string;
  role: 'editor' | 'viewer';
}

/** At most one per person; without `confirmed_at` it is an unconfirmed scan, and has no effect. */
interface SecondFactorsTable {
  person_id: string;
  /** Base 32, encrypted for `totp:<person_id>`. */
  secret: string;
  created_at: number;
  confirmed_at: number | null;
  /** The newest time step whose code was taken: no code is taken twice. */
  last_step: number;
}

interface RecoveryCodesTable {
  person_id: string;
  /** SHA-256 (hex) of the person's id and the code. */
  digest: string;
}

/** Links that open something once; used ones are gone. `digest` is the SHA-256 (hex) of the token. */
interface OneTimeLinksTable {
  id: string;
  digest: string;
  kind: 'welcome' | 'invitation' | 'reset';
  /** null: a password belongs to a person, not to an organization. */
  organization_id: string | null;
  /** Whose password (reset). */
  person_id: string | null;
  /** Who is invited, in lower case. */
  email: string | null;
  role: 'owner' | 'admin' | 'viewer' | null;
  /** An invitation to chosen properties: `[[id, role], …]`, JSON. null: all. */
  properties: Generated<string | null>;
  created_by: string;
  created_at: number;
  expires_at: number;
}

/** `prefix` is for people, `digest` (SHA-256, hex) for look-up; the token stands nowhere. */
interface ApiTokensTable {
  id: string;
  organization_id: string;
  /** null: every property of the organization. */
  attribution_id: string | null;
  name: string;
  prefix: string;
  digest: string;
  role: 'admin' | 'viewer';
  /** The actor. */
  created_by: string;
  /** null: made with the admin token. A person's token can do no more than they can themselves. */
  person_id: string | null;
  created_at: number;
  expires_at: number | null;
  last_used_at: number | null;
  /** The network of its address: `203.0.113.0/24`. */
  last_used_from: Generated<string | null>;
  revoked_at: number | null;
}

export interface PeopleTables {
  people: PeopleTable;
  credentials: CredentialsTable;
  members: MembersTable;
  member_properties: MemberPropertiesTable;
  identities: IdentitiesTable;
  used_sign_ins: UsedSignInsTable;
  second_factors: SecondFactorsTable;
  recovery_codes: RecoveryCodesTable;
  one_time_links: OneTimeLinksTable;
  api_tokens: ApiTokensTable;
}
