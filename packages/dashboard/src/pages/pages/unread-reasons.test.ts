import { describe, expect, it } from 'vitest';
import { reasonOf, sharedReason } from './unread-reasons.ts';

const UNKNOWN = { last_read: null };
const RARE = { last_read: '2026-10-02' };

describe('the likely reason of an unread page', () => {
  it('is said once where most rows share it', () => {
    expect(sharedReason([UNKNOWN, RARE, UNKNOWN])).toBe(reasonOf(UNKNOWN));
    expect(sharedReason([RARE, RARE])).toBe(reasonOf(RARE));
  });

  it('stays in the rows where none has more than half of them, or there is one row', () => {
    expect(sharedReason([UNKNOWN, RARE])).toBeNull();
    expect(sharedReason([UNKNOWN])).toBeNull();
    expect(sharedReason([])).toBeNull();
  });
});
