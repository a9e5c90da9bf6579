import { describe, expect, it } from 'vitest';
import type { Session } from '../../api/types.ts';
import { may, type Permission, WHY_NOT } from './may.ts';

const PERMISSIONS = Object.keys(WHY_NOT) as Permission[];
const allowed = (kind: Session['kind'], role: Session['role']) =>
  PERMISSIONS.filter((permission) => may({ kind, role }, permission)).sort();

describe('what is offered', () => {
  it('to a viewer is their own account alone', () => {
    expect(allowed('person', 'viewer')).toEqual(['account']);
  });

  it('to an admin is everything but other people', () => {
    expect(allowed('person', 'admin')).toEqual(['account', 'audit', 'change', 'tokens']);
  });

  it('to an owner is everything of the organization', () => {
    expect(allowed('person', 'owner')).toEqual(['account', 'audit', 'change', 'people', 'tokens']);
  });

  it('to the root token is everything but an account', () => {
    expect(allowed('root', 'owner')).toEqual(['audit', 'change', 'installation', 'people', 'tokens']);
  });
});
