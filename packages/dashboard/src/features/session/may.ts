/**
 * What whoever is signed in may do, decided here and nowhere else in the dashboard. The service decides again at every call; this is so that
 * nobody is offered what would be refused.
 */
import { ROLES, type Role, type Session } from '../../api/types.ts';

/**
 * `change`: properties and all that belongs to them. `tokens`, `audit`: to see them, too. `people`: members, invitations, the organization's
 * name. `account`: an account of one's own. `installation`: everything that is not one organization's.
 */
export type Permission = 'change' | 'tokens' | 'audit' | 'people' | 'account' | 'installation';

export function may({ kind, role }: Pick<Session, 'kind' | 'role'>, permission: Permission): boolean {
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
    case 'installation':
      return kind === 'root';
  }
}

function includes(has: Role, asked: Role): boolean {
  return ROLES.indexOf(has) <= ROLES.indexOf(asked);
}

/** Why something is not offered, and who can help. */
export const WHY_NOT: Readonly<Record<Permission, string>> = {
  change: 'You may look at this, not change it. An owner can make you an admin.',
  audit: 'The audit log is for admins and owners.',
  tokens: 'API tokens are for admins and owners.',
  people: 'Only an owner of the organization may change this.',
  account: 'The root token has no account of its own.',
  installation: 'This belongs to the whole installation: sign in with its root token.',
};
