/**
 * The permissions of the caller, decided here and nowhere else in the dashboard, so that it offers only what the service allows. The service
 * checks every call again.
 */
import { ROLES, type Role, type Session } from '../../api/types.ts';

/**
 * `change`: what belongs to the open property. `organization`: the properties themselves and ingest keys, which concern all of them. `tokens`,
 * `audit`: reading and changing them. `people`: members, invitations, the name of the organization. `account`: the caller's own account.
 * `lists`: the bots of this installation. `installation`: everything else outside of organizations.
 */
export type Permission =
  | 'change'
  | 'organization'
  | 'tokens'
  | 'audit'
  | 'people'
  | 'account'
  | 'lists'
  | 'installation';

export type Rights = Pick<Session, 'kind' | 'role' | 'runs_installation' | 'properties'>;

/** @param propertyId the open property, for `change` */
export function may(
  { kind, role, runs_installation: runs, properties }: Rights,
  permission: Permission,
  propertyId?: string,
): boolean {
  switch (permission) {
    case 'change':
      return properties === null ? includes(role, 'admin') : roleIn(properties, propertyId) === 'editor';
    case 'organization':
    case 'audit':
      return properties === null && includes(role, 'admin');
    case 'tokens':
      return kind !== 'token' && properties === null && includes(role, 'admin');
    case 'people':
      return includes(role, 'owner');
    case 'account':
      return kind === 'person';
    case 'lists':
      return runs && includes(role, 'admin');
    case 'installation':
      return kind === 'root';
  }
}

function roleIn(properties: NonNullable<Session['properties']>, propertyId: string | undefined) {
  return properties.find(({ attribution_id }) => attribution_id === propertyId)?.role;
}

function includes(has: Role, asked: Role): boolean {
  return ROLES.indexOf(has) <= ROLES.indexOf(asked);
}

/** Why something is not offered. */
export const WHY_NOT: Readonly<Record<Exclude<Permission, 'change'>, string>> = {
  organization: 'Properties and ingest keys are for admins and owners.',
  audit: 'The audit log is for admins and owners.',
  tokens: 'API tokens are for admins and owners.',
  people: 'Only owners of the organization can change this.',
  account: 'The admin token has no account.',
  lists: 'The bot list is for the whole installation: an admin of its first organization can change it.',
  installation: 'This belongs to the whole installation: sign in with the admin token.',
};

/** Why a permission is missing, and how to get it. The role of a token never changes, so asking an owner does not help. */
export function whyNot({ kind, role, properties }: Rights, permission: Permission): string {
  if (permission !== 'change') return WHY_NOT[permission];
  if (kind !== 'token' && properties !== null)
    return 'Read-only. To make changes, ask an owner for the editor role in this property.';
  return kind === 'token'
    ? `Read-only: this API token has the role ${role}.`
    : 'Read-only. To make changes, ask an owner for the admin role.';
}
