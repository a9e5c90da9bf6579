/** What the routes of the organization answer, as these pages read it. */
import type { Role } from '../../api/types.ts';

export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
}

export interface OwnOrganization extends Organization {
  readonly members: number;
}

export interface Member {
  readonly person_id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly totp: boolean;
  readonly joined_at: string;
}

export interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  /** An actor, as the audit log has it. */
  readonly invited_by: string;
  readonly created_at: string;
  readonly expires_at: string;
}

export interface Invited extends Invitation {
  readonly mailed: boolean;
  /** Where it was not mailed; this once. */
  readonly link: string | null;
}

export type TokenRole = 'admin' | 'viewer';

export interface ApiToken {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly role: TokenRole;
  /** The only property that it opens; null: all. */
  readonly attribution_id: string | null;
  readonly created_by: string;
  readonly created_by_name: string | null;
  readonly mine: boolean;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
}

export interface NewToken {
  readonly name: string;
  readonly role: TokenRole;
  readonly attribution_id?: string;
  readonly expires_at?: string;
}

export interface AuditEntry {
  readonly id: string;
  readonly at: string;
  readonly actor: string;
  readonly actor_name: string | null;
  readonly action: string;
  readonly subject: string;
  /** Of a destination, an alert channel or a webhook key; null: it has none (any more). */
  readonly subject_name: string | null;
}

export interface AuditPageAnswer {
  readonly items: readonly AuditEntry[];
  readonly next: string | null;
}
