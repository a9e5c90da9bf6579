import { expect, it } from 'vitest';
import { fromAi } from './from-ai.ts';

const eur = (value: string) => [{ currency: 'EUR', value }];
const row = (key: string, conversions: string, value: string) => ({
  ...{ key, platform: null, conversions, refunds: [] },
  values: eur(value),
});

it('is what the channel of AI assistants has, and its part of the value', () => {
  const rows = [row('organic_search', '40', '10963'), row('ai_assistant', '31', '2643')];
  const found = fromAi({ rows, totals: { values: eur('13606') }, comparison: null }, 'EUR');
  expect(found).toEqual({
    conversions: '31',
    amount: { currency: 'EUR', value: '2643' },
    share: 19,
    earlier: undefined,
  });
});

it('is zero without that channel, and never adds up currencies', () => {
  const none = fromAi(
    { rows: [row('email', '1', '5')], totals: { values: eur('5') }, comparison: null },
    'EUR',
  );
  expect(none).toMatchObject({ conversions: '0', amount: null, share: null });
  const totals = { values: [...eur('10'), { currency: 'GBP', value: '5' }] };
  const report = { rows: [row('ai_assistant', '1', '5')], totals, comparison: null };
  expect(fromAi(report, 'GBP')).toMatchObject({ conversions: '1', amount: null, share: null });
  expect(fromAi(report, 'EUR')).toMatchObject({ amount: { currency: 'EUR', value: '5' }, share: 50 });
});
