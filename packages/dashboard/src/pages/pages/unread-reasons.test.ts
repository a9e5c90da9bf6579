import { describe, expect, it } from 'vitest';
import { botsOf, type Known, reasonOf, sharedReason } from './unread-reasons.ts';

const NEVER: Known = {
  ...{ reason: 'never_requested', last_read: null, last_requested: null, last_status: null },
  ...{ blocked: 0, blocked_bots: [] },
};
const RARE: Known = {
  ...{ ...NEVER, reason: 'read_before', last_read: '2026-10-02' },
  ...{ last_requested: '2026-10-02', last_status: 200 },
};

describe('the likely reason of an unread page', () => {
  it('is said once where most rows share it', () => {
    expect(sharedReason([NEVER, RARE, NEVER])).toBe(reasonOf(NEVER));
    expect(sharedReason([RARE, RARE])).toBe(reasonOf(RARE));
  });

  it('stays in the rows where none has more than half of them, or there is one row', () => {
    expect(sharedReason([NEVER, RARE])).toBeNull();
    expect(sharedReason([NEVER])).toBeNull();
    expect(sharedReason([])).toBeNull();
  });

  it('names the last reading, the status, and the bots that robots.txt blocks', () => {
    expect(reasonOf(RARE)).toBe('Last read on 2 Oct 2026; bots rarely visit it');
    expect(reasonOf({ ...RARE, reason: 'failed', last_status: 404 })).toBe(
      'Failed with 404 when last requested on 2 Oct 2026',
    );
    const blocked = { blocked: 2, blocked_bots: ['GPTBot', 'CCBot'] };
    expect(reasonOf({ ...NEVER, ...blocked, reason: 'blocked_for_some' })).toBe(
      'Never requested; robots.txt blocks it for GPTBot and CCBot',
    );
    expect(reasonOf({ ...NEVER, ...blocked, reason: 'blocked' })).toBe('robots.txt blocks it for all bots');
    expect(reasonOf({ ...NEVER, blocked: 1, blocked_bots: ['GPTBot'], reason: 'blocked' })).toBe(
      'robots.txt blocks it for GPTBot',
    );
    expect(reasonOf({ ...NEVER, blocked: null })).toMatch(/could not be read\)$/);
  });

  it('says how many more bots there are', () => {
    const names = ['A', 'B', 'C', 'D', 'E'];
    expect(botsOf({ blocked: 1, blocked_bots: ['A'] })).toBe('A');
    expect(botsOf({ blocked: 4, blocked_bots: names.slice(0, 4) })).toBe('A, B, C and D');
    expect(botsOf({ blocked: 5, blocked_bots: names })).toBe('A, B, C and 2 more bots');
    expect(botsOf({ blocked: 90, blocked_bots: names })).toBe('A, B, C and 87 more bots');
  });
});
