import { describe, expect, it } from 'vitest';
import type { Session } from '../../api/types.ts';
import { may, type Permission, WHY_NOT, whyNot } from './may.ts';

const PERMISSIONS = ['change', ...Object.keys(WHY_NOT)] as Permission[];
const allowed = (kind: Session['kind'], role: Session['role']) =>
  PERMISSIONS.filter((permission) =>
    may({ kind, role, runs_installation: kind === 'root' }, permission),
  ).sort();

describe('the permissions', () => {
  it('of a viewer are those of their own account', () => {
    expect(allowed('person', 'viewer')).toEqual(['account']);
  });

  it('of an admin are all but those of people and the installation', () => {
    expect(allowed('person', 'admin')).toEqual(['account', 'audit', 'change', 'tokens']);
  });

  it('of an owner are all of the organization', () => {
    expect(allowed('person', 'owner')).toEqual(['account', 'audit', 'change', 'people', 'tokens']);
  });

  it('of the root token are all but an account', () => {
    expect(allowed('root', 'owner')).toEqual([
      'audit',
      'change',
      'installation',
      'lists',
      'people',
      'tokens',
    ]);
  });

  it('on the bot list are those of admins of the organization that the installation began with', () => {
    const person = { kind: 'person', runs_installation: true } as const;
    expect(may({ ...person, role: 'admin' }, 'lists')).toBe(true);
    expect(may({ ...person, role: 'viewer' }, 'lists')).toBe(false);
  });

  it('that are missing are explained to a person and to a token in their own terms', () => {
    expect(whyNot({ kind: 'person', role: 'viewer' }, 'change')).toContain('ask an owner');
    expect(whyNot({ kind: 'token', role: 'viewer' }, 'change')).toBe(
      'Read-only: this API token has the role viewer.',
    );
  });
});
