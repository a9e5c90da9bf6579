import { isbot } from 'isbot';
import { describe, expect, it } from 'vitest';
import bots from '../data/bots.json' with { type: 'json' };
import userAgents from '../vectors/classify.json' with { type: 'json' };
import { runVectors } from '../vectors/run.ts';
import { embeddedLists } from './embedded.ts';

describe('vectors, in Node', () => {
  it('are all met by the embedded lists', () => {
    const report = runVectors(embeddedLists(), isbot);
    expect(report.failures).toEqual([]);
    expect(report.ran).toBeGreaterThan(300);
  });

  it('hold 99% or more of the user agents that vendors document', () => {
    const { total, found } = runVectors(embeddedLists(), isbot).documented;
    expect(total).toBeGreaterThanOrEqual(50);
    expect(found / total).toBeGreaterThanOrEqual(0.99);
  });

  it('have at least one user agent of every bot that a vendor documents', () => {
    const covered = new Set(userAgents.cases.map(({ bot }) => bot));
    const core = bots.bots.filter(({ tier }) => tier === 'core').map(({ name }) => name);
    expect(core.filter((name) => !covered.has(name))).toEqual([]);
  });

  it('notice lists that lost a bot', () => {
    const lists = embeddedLists();
    lists.bot_patterns = lists.bot_patterns.filter(({ bot_name }) => bot_name !== 'ClaudeBot');
    expect(runVectors(lists, isbot).failures.length).toBeGreaterThan(0);
  });
});
