import { expect, it } from 'vitest';
import { agentsOf, pointsOf } from './FetchesPanel.tsx';

it('draws the days of the answer, in the property’s zone', () => {
  const days = pointsOf([
    { day: '2026-02-28', fetches: 4 },
    { day: '2026-03-01', fetches: 0 },
  ]);
  expect(days).toEqual([
    { day: '2026-02-28', partial: false, values: { fetches: 4 } },
    { day: '2026-03-01', partial: true, values: { fetches: 0 } },
  ]);
});

it('counts agents once, and says that fetches without a name are not counted as agents', () => {
  const [gpt, claude, unnamed] = [{ agent: 'GPTBot' }, { agent: 'ClaudeBot' }, { agent: '' }];
  expect(agentsOf([gpt, gpt])).toBe('by 1 agent');
  expect(agentsOf([gpt, claude, unnamed])).toBe('by 2 agents and others');
  expect(agentsOf([unnamed])).toBe('by unnamed agents');
});
