/**
 * The permissions of the caller, decided here and nowhere else in the dashboard, so that it offers only what the service allows. The service
 * checks every call again.
 */
import { ROLES, type Role, type Session } from '../../api/types.ts';

/**
 * `change`: properties and everything below them. `tokens`, `audit`: reading and changing them. `people`: members, invitations, the name of
 * the organization. `account`: the caller's own account. `lists`: the bots of this installation. `installation`: everything else outside of
 * organizations.
 */
export type Permission = 'change' | 'tokens' | 'audit' | 'people' | 'account' | 'lists' | 'installation';

export type Rights = Pick<Session, 'kind' | 'role' | 'runs_installation'>;

export function may({ kind, role, runs_installation: runs }: Rights, permission: Permission): boolean {
  switch (permission) {
    case 'change':
    case 'audit':
      return includes(role, 'admin');
    case 'tokens':
      return kind !== 'token' && includes(role, 'admin');
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

function includes(has: Role, asked: Role): boolean {
  return ROLES.indexOf(has) <= ROLES.indexOf(asked);
}

/** Why something is not offered. */
export const WHY_NOT: Readonly<Record<Exclude<Permission, 'change'>, string>> = {
  audit: 'The audit log is for admins and owners.',
  tokens: 'API tokens are for admins and owners.',
  people: 'Only owners of the organization can change this.',
  account: 'The root token has no account.',
  lists: 'The bot list is for the whole installation: an admin of its first organization can change it.',
  installation: 'This belongs to the whole installation: sign in with the root token.',
};

/** Why a permission is missing, and how to get it. The role of a token never changes, so asking an owner does not help. */
export function whyNot({ kind, role }: Pick<Session, 'kind' | 'role'>, permission: Permission): string {
  if (permission !== 'change') return WHY_NOT[permission];
  return kind === 'token'
    ? `Read-only: this API token has the role ${role}.`
    : 'Read-only. To make changes, ask an owner for the admin role.';
}
