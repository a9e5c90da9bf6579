import { describe, expect, it } from 'vitest';
import { AREAS, sentenceOf, splitSubject } from './sentences.ts';

const ID = '0a1b2c3d-0000-4000-8000-000000000001';

describe('the audit log in words', () => {
  it('says what was done to what', () => {
    expect(sentenceOf('member.made_admin')).toEqual({ text: 'made an admin of', of: 'person' });
  });

  it('shows an action of a later version as it is named', () => {
    expect(sentenceOf('new_thing.switched_off')).toEqual({ text: 'new thing switched off', of: 'none' });
  });

  it.each([
    [ID, { id: ID, besides: '' }],
    [`person:${ID}`, { id: ID, besides: '' }],
    [`${ID}:shop.example`, { id: ID, besides: 'shop.example' }],
    [`${ID}/visitor-1`, { id: ID, besides: 'visitor-1' }],
    ['root:1a2b3c4d', { id: 'root:1a2b3c4d', besides: '' }],
    ['', { id: '', besides: '' }],
  ])('splits the subject %j', (subject, parts) => {
    expect(splitSubject(subject)).toEqual(parts);
  });

  it('offers each part of the log by a name that the service takes', () => {
    for (const [prefix] of AREAS) expect(prefix).toMatch(/^[a-z_.]{1,60}$/);
  });
});
