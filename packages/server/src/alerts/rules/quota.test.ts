import { expect, it } from 'vitest';
import { quota } from './quota.ts';
import type { Snapshot } from './rule.ts';

const at = (used: number, of = 'property') =>
  quota({ quota: { used, limit: 1_000, of } } as unknown as Snapshot, 80);
const subjects = (used: number) => at(used).findings.map(({ subject }) => subject);
const open = (subject: string) => ({ subject, at: 0 });

it('warns at the threshold, says that the quota is reached, and is over on the next day', () => {
  expect(subjects(799)).toEqual([]);
  expect(subjects(800)).toEqual(['']);
  expect(subjects(1_000)).toEqual(['', 'reached']);
  expect(at(850, 'organization').findings[0]).toMatchObject({
    title: '85% of the quota used',
    text: expect.stringMatching(/^All properties of the organization have stored 850 of the 1,000 visits/),
    unit: 'share',
  });
  expect(at(2_000).findings[1]?.text).toContain('and so are all other visits');
  expect([at(900).isOver(open('')), at(900).isOver(open('reached'))]).toEqual(['no', 'yes']);
  expect(at(3).isOver(open(''))).toBe('yes');
});

it('has nothing to say where there is no quota', () => {
  expect(quota({ quota: null } as unknown as Snapshot, 80).findings).toEqual([]);
  expect(quota({} as unknown as Snapshot, 80).isOver(open(''))).toBe('yes');
});
