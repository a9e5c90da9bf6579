import { describe, expect, it } from 'vitest';
import type { EventRules } from '../../../features/destinations/api.ts';
import { mappingRows, nameMistake, needsMapping, withChoice } from './mapping.ts';

const rules: EventRules = {
  label: 'Conversion action ID',
  pattern: '^\\d+$',
  example: '456',
  choices: [],
  defaults: {
    purchase: { kind: 'needs_mapping' },
    lead: { kind: 'name', name: 'Lead' },
    signup: { kind: 'name', name: '{event_name}' },
    refund: { kind: 'name', name: '{purchase}' },
    subscription: { kind: 'unsupported' },
    custom: { kind: 'needs_mapping' },
  },
};
const effects = (mapping: Record<string, string | null>) =>
  Object.fromEntries(mappingRows(rules, mapping).map(({ key, effect }) => [key, effect]));

describe('the event mapping', () => {
  it('follows the platform’s defaults', () => {
    expect(effects({})).toEqual({
      purchase: { is: 'needs_mapping' },
      lead: { is: 'name', name: 'Lead' },
      signup: { is: 'own_name' },
      refund: { is: 'as', topic: 'purchase' },
      subscription: { is: 'unsupported' },
      custom: { is: 'needs_mapping' },
    });
    expect(needsMapping(rules, {})).toEqual(['purchase', 'custom']);
  });

  it('is the chosen event, if the platform supports it', () => {
    expect(effects({ purchase: '1', lead: null, subscription: '2' })).toMatchObject({
      purchase: { is: 'name', name: '1' },
      lead: { is: 'off' },
      subscription: { is: 'unsupported' },
    });
    expect(needsMapping(rules, { purchase: '1', custom: null })).toEqual([]);
  });

  it('has a row per custom name, which follows its topic by default', () => {
    const [row] = mappingRows(rules, { custom: '7', 'custom:call': '8' }).slice(-1);
    expect(row).toMatchObject({
      topic: 'custom',
      eventName: 'call',
      standard: { is: 'name', name: '7' },
      effect: { is: 'name', name: '8' },
    });
  });

  it('removes a choice', () => {
    expect(withChoice({ lead: 'x', purchase: '1' }, 'lead', undefined)).toEqual({ purchase: '1' });
    expect(withChoice({}, 'lead', null)).toEqual({ lead: null });
  });

  it('describes the required form of a name', () => {
    expect(nameMistake(rules, '12')).toBeNull();
    expect(nameMistake(rules, '')).toBe('Conversion action ID is required.');
    expect(nameMistake(rules, 'abc')).toBe('Not a valid Conversion action ID. Example: 456.');
    expect(nameMistake({ ...rules, pattern: '(' }, 'anything')).toBeNull();
  });
});
