/** What holds for every source: a new one is held to it by its line in the register. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { aboutSource, pathOf, REJECT_REASONS, SOURCES, STEPS, stepOf } from './index.ts';
import { DROP_REASONS } from './reasons.ts';

it('is named once, by a word that a path, a label of a metric and a column can hold', () => {
  const names = SOURCES.map(({ about }) => about.name);
  const slugs = SOURCES.map(({ about }) => about.setup.slug);
  expect(new Set(names).size).toBe(names.length);
  expect(new Set(slugs).size).toBe(slugs.length);
  for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9_]{1,39}$/);
  // Not by what the dashboard and the spool call what is no log.
  for (const taken of ['browser', 'sdk', 'curl']) expect([...names, ...slugs]).not.toContain(taken);
  expect(aboutSource('nothing')).toBeUndefined();
});

it.each(SOURCES.map((source) => [source.about.name, source] as const))(
  '%s says all that people need',
  (name, source) => {
    const { about, auth, document } = source;
    expect(auth.length).toBeGreaterThan(0);
    expect(document.summary).not.toBe('');
    expect(about.misspelled.test(pathOf(name))).toBe(true);
    expect(about.misspelled.global).toBe(false);
    expect(about.setup.steps.length).toBeGreaterThan(0);
    for (const { text, snippets } of about.setup.steps) {
      expect(text.length + snippets.length).toBeGreaterThan(0);
      for (const { template } of snippets)
        expect(
          template.replaceAll(
            /\{\{(?:base_url|attribution_id|domain|key)(?:\|(?:url|json|shell|host|port))?\}\}/g,
            '',
          ),
        ).not.toMatch(/\{\{|\}\}/);
    }
    const pages = ['sending-data.md', 'log-sources.md'].map((page) =>
      readFileSync(new URL(`../../../../docs/${page}`, import.meta.url), 'utf8'),
    );
    expect(pages.some((page) => page.includes(pathOf(name)))).toBe(true);
  },
);

it('every reason belongs to a step, and no other does', () => {
  for (const reason of [...DROP_REASONS, ...Object.keys(REJECT_REASONS)])
    expect(STEPS).toContain(stepOf(reason));
  for (const reason of ['toString', 'nothing', '']) expect(stepOf(reason)).toBeNull();
});
