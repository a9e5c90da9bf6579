import { describe, expect, it } from 'vitest';
import { AREAS, sentenceOf, splitSubject } from './sentences.ts';

const ID = '0a1b2c3d-0000-4000-8000-000000000001';

describe('the sentences of the audit log', () => {
  it('names the action and its object', () => {
    expect(sentenceOf('member.made_admin')).toEqual({ text: 'made an admin of', of: 'person' });
  });

  it('shows an unknown action by its name', () => {
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

  it('offers areas whose prefixes the service accepts', () => {
    for (const [prefix] of AREAS) expect(prefix).toMatch(/^[a-z_.]{1,60}$/);
  });
});
