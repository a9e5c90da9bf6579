import { ServiceError } from './errors.ts';

/**
 * Whose rows a call may see. Every function of a room that reads or writes an organization's rows takes a scope and puts it into
 * its WHERE: there is no unscoped query to call by mistake.
 */
export type Scope =
  | { readonly kind: 'all' }
  | {
      readonly kind: 'organization';
      readonly id: string;
      /** Left out: all of the organization's. */
      readonly properties?: PropertyAccess;
    };

/** What a caller may do who was let in for chosen properties: `viewer` reads one, `editor` changes what belongs to it. */
export const PROPERTY_ROLES = ['editor', 'viewer'] as const;
export type PropertyRole = (typeof PROPERTY_ROLES)[number];

/** The properties of such a caller by their IDs in lower case. An empty one is access to none. */
export type PropertyAccess = ReadonlyMap<string, PropertyRole>;

/** null: the scope is not limited to chosen properties. */
export function limitsOf(scope: Scope): PropertyAccess | null {
  return scope.kind === 'organization' ? (scope.properties ?? null) : null;
}

/**
 * What `?organization=` narrows a caller's scope to. A caller who already stands inside one organization can only name that one;
 * naming another answers as if it did not exist.
 */
export function narrowScope(scope: Scope, organizationId: string | undefined): Scope {
  if (organizationId === undefined) return scope;
  const id = organizationId.toLowerCase();
  if (scope.kind === 'organization' && scope.id !== id) {
    throw new ServiceError('not_found', 'There is no such organization; omit ?organization=.');
  }
  // The caller's own, with its limits.
  return scope.kind === 'organization' ? scope : { kind: 'organization', id };
}

/** What a member of an organization may do: `viewer` reads, `admin` changes everything but members and ownership, `owner` everything. */
export const ROLES = ['owner', 'admin', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/** Whether a role is enough where another one is asked for. */
export function includesRole(has: Role, asked: Role): boolean {
  return ROLES.indexOf(has) <= ROLES.indexOf(asked);
}

interface Calling {
  readonly scope: Scope;
  readonly role: Role;
  /** What audit rows name: `root`, `root:1a2b3c4d`, `person:<id>`, `token:<id>`, `share:<id>`; never a secret. */
  readonly actor: string;
}

/** The ADMIN_TOKEN, as bearer token or exchanged for a session cookie. */
export interface RootCaller extends Calling {
  readonly kind: 'root';
}

/** A signed-in person, in the organization of their session. */
export interface PersonCaller extends Calling {
  readonly kind: 'person';
  readonly scope: Extract<Scope, { kind: 'organization' }>;
  readonly personId: string;
  /** Which of their sessions this is; opens nothing. */
  readonly sessionId: string;
}

/** An API token of an organization. */
export interface TokenCaller extends Calling {
  readonly kind: 'token';
  readonly scope: Extract<Scope, { kind: 'organization' }>;
}

/** A reader of a share link: of one property, whose scope it has, and of these reports alone. */
export interface ShareCaller extends Calling {
  readonly kind: 'share';
  readonly scope: Extract<Scope, { kind: 'organization' }>;
  readonly propertyId: string;
  /** Paths below `/properties/{id}/reports/`. */
  readonly reports: readonly string[];
}

/** Who is calling the management API, as the authentication middleware found out. */
export type Caller = RootCaller | PersonCaller | TokenCaller | ShareCaller;

/** The organization that a new row belongs to: the scope's own, or the default one for the admin token. */
export const DEFAULT_ORGANIZATION_ID = '00000000-0000-4000-8000-000000000001';

/**
 * Whether what is added up over all organizations may be shown: to those who run the installation, whose people are in its first organization.
 * A guest there, who sees chosen properties, is none of them.
 */
export const runsInstallation = (scope: Scope): boolean =>
  scope.kind === 'all' || (scope.id === DEFAULT_ORGANIZATION_ID && scope.properties === undefined);

export function owningOrganization(scope: Scope): string {
  return scope.kind === 'organization' ? scope.id : DEFAULT_ORGANIZATION_ID;
}
