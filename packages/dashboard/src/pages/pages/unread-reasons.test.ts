import { describe, expect, it } from 'vitest';
import { botsOf, briefReasonOf, type Known, reasonOf, robotsText } from './unread-reasons.ts';

const NEVER: Known = {
  ...{ reason: 'never_requested', last_read: null, last_requested: null, last_status: null },
  ...{ blocked: 0, blocked_bots: [] },
};
const RARE: Known = {
  ...{ ...NEVER, reason: 'read_before', last_read: '2026-10-02' },
  ...{ last_requested: '2026-10-02', last_status: 200 },
};

describe('the likely reason of an unread page', () => {
  it('is said in each row, and above them what robots.txt says', () => {
    expect(reasonOf(NEVER)).toBe('Never requested');
    expect(robotsText([NEVER, RARE])).toBe('robots.txt doesn’t block them');
    expect(robotsText([NEVER, { ...RARE, blocked: 2 }])).toBe('robots.txt blocks 1 page for some bots');
    expect(robotsText([NEVER, { ...RARE, blocked: null }])).toBe('robots.txt could not be read');
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
  });

  it('leaves out beside the day of the last request what that says', () => {
    expect(briefReasonOf(NEVER)).toBe('New, or no page links to it');
    expect(briefReasonOf(RARE)).toBe('Read that day; bots rarely visit it');
    const failed: Known = { ...RARE, reason: 'failed', last_status: 404 };
    expect(briefReasonOf(failed)).toBe('Failed with 404');
    expect(briefReasonOf({ ...failed, last_read: '2026-08-01' })).toBe(
      'Failed with 404; last read on 1 Aug 2026',
    );
    expect(briefReasonOf({ ...RARE, reason: 'redirected', last_status: 301, last_read: null })).toBe(
      'Redirected (301)',
    );
    const blocked = { blocked: 1, blocked_bots: ['GPTBot'] };
    expect(briefReasonOf({ ...NEVER, ...blocked, reason: 'blocked_for_some' })).toBe(
      'robots.txt blocks it for GPTBot',
    );
  });

  it('says how many more bots there are', () => {
    const names = ['A', 'B', 'C', 'D', 'E'];
    expect(botsOf({ blocked: 1, blocked_bots: ['A'] })).toBe('A');
    expect(botsOf({ blocked: 4, blocked_bots: names.slice(0, 4) })).toBe('A, B, C and D');
    expect(botsOf({ blocked: 5, blocked_bots: names })).toBe('A, B, C and 2 more bots');
    expect(botsOf({ blocked: 90, blocked_bots: names })).toBe('A, B, C and 87 more bots');
  });
});
