import { describe, expect, it } from 'vitest';
import type { Session } from '../../api/types.ts';
import { may, type Permission, WHY_NOT, whyNot } from './may.ts';

const PERMISSIONS = ['change', ...Object.keys(WHY_NOT)] as Permission[];
const allowed = (
  kind: Session['kind'],
  role: Session['role'],
  properties: Session['properties'] = null,
  open?: string,
) =>
  PERMISSIONS.filter((permission) =>
    may({ kind, role, runs_installation: kind === 'root', properties }, permission, open),
  ).sort();

describe('the permissions', () => {
  it('of a viewer are those of their own account', () => {
    expect(allowed('person', 'viewer')).toEqual(['account']);
  });

  it('of an admin are all but those of people and the installation', () => {
    expect(allowed('person', 'admin')).toEqual(['account', 'audit', 'change', 'organization', 'tokens']);
  });

  it('of an owner are all of the organization', () => {
    expect(allowed('person', 'owner')).toEqual([
      ...['account', 'audit', 'change', 'organization', 'people', 'tokens'],
    ]);
  });

  it('of the admin token are all but an account', () => {
    expect(allowed('root', 'owner')).toEqual([
      ...['audit', 'change', 'installation', 'lists', 'organization', 'people', 'tokens'],
    ]);
  });

  it('on the bot list are those of admins of the organization that the installation began with', () => {
    const person = { kind: 'person', runs_installation: true, properties: null } as const;
    expect(may({ ...person, role: 'admin' }, 'lists')).toBe(true);
    expect(may({ ...person, role: 'viewer' }, 'lists')).toBe(false);
  });

  it('of an editor are to change the properties that they edit, and nothing of the organization', () => {
    const chosen = [
      { attribution_id: 'one', role: 'editor' },
      { attribution_id: 'two', role: 'viewer' },
    ] as const;
    expect(allowed('person', 'viewer', [...chosen], 'one')).toEqual(['account', 'change']);
    for (const open of ['two', 'three', undefined])
      expect(allowed('person', 'viewer', [...chosen], open)).toEqual(['account']);
    const session = { kind: 'person', role: 'viewer', runs_installation: false } as const;
    expect(whyNot({ ...session, properties: [...chosen] }, 'change')).toContain(
      'editor role in this property',
    );
  });

  it('that are missing are explained to a person and to a token in their own terms', () => {
    const viewer = { role: 'viewer', properties: null, runs_installation: false } as const;
    expect(whyNot({ kind: 'person', ...viewer }, 'change')).toContain('ask an owner');
    expect(whyNot({ kind: 'token', ...viewer }, 'change')).toBe(
      'Read-only: this API token has the role viewer.',
    );
  });
});
