import { ServiceError } from './errors.ts';

/**
 * Whose rows a call may see. Every function of a room that reads or writes an organization's rows takes a scope and puts it into
 * its WHERE: there is no unscoped query to call by mistake.
 */
export type Scope = { readonly kind: 'all' } | { readonly kind: 'organization'; readonly id: string };

/**
 * What `?organization=` narrows a caller's scope to. A caller who already stands inside one organization can only name that one;
 * naming another answers as if it did not exist.
 */
export function narrowScope(scope: Scope, organizationId: string | undefined): Scope {
  if (organizationId === undefined) return scope;
  const id = organizationId.toLowerCase();
  if (scope.kind === 'organization' && scope.id !== id) {
    throw new ServiceError('not_found', 'There is no such organization; leave ?organization= out.');
  }
  return { kind: 'organization', id };
}

/** Who is calling the management API, as the authentication middleware found out. */
export interface Caller {
  /** `root` is the ADMIN_TOKEN (as bearer token or exchanged for a session cookie). */
  readonly kind: 'root';
  readonly scope: Scope;
  /** What audit rows name: never a secret. */
  readonly actor: string;
}

/** The organization that a new row belongs to: the scope's own, or the default one for the root token. */
export const DEFAULT_ORGANIZATION_ID = '00000000-0000-4000-8000-000000000001';

export function owningOrganization(scope: Scope): string {
  return scope.kind === 'organization' ? scope.id : DEFAULT_ORGANIZATION_ID;
}
