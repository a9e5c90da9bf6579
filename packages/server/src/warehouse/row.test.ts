import { expect, it } from 'vitest';
import { HIT_COLUMNS, toRow } from './row.ts';
import { makeHit, NOTHING_SAID, newScope } from './testing/warehouse.ts';

it('leaves out what the table fills in by itself, and nothing else', () => {
  const bare = JSON.parse(toRow(makeHit(newScope(), NOTHING_SAID))) as Record<string, unknown>;
  expect(Object.keys(bare)).toEqual([
    ...['asset', 'id', 'organization_id', 'attribution_id', 'at', 'received_at', 'source', 'class'],
    ...['host', 'path', 'weight', 'list_version'],
  ]);
  const said = makeHit(newScope(), {
    ...{ verified: false, verified_by: 'signature', verdict_reason: 'ranges', ranges_as_of: '2026-03-15' },
    ...{ signature_agent: 'a', referrer_engine: 'b', referral_signal: 'app', query_params: { c: '' } },
    ...{ referrer: 'd', sample_ip: 'e', sample_rate: 0.5, other_bot: true, ray_id: 'f', waf_action: 'g' },
  });
  const { asset, ...row } = JSON.parse(toRow(said)) as Record<string, unknown>;
  expect(row).toEqual(said);
  expect(Object.keys(row)).toEqual(HIT_COLUMNS);
  expect(asset).toBe(false);
});
