import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type FailuresOfPage, reasonOf } from './failure-reason.ts';

function failed(statuses: Record<string, number>, more: Partial<FailuresOfPage> = {}): FailuresOfPage {
  const sumOf = (from: number, to: number) =>
    Object.entries(statuses).reduce(
      (sum, [status, hits]) => (+status >= from && +status < to ? sum + hits : sum),
      0,
    );
  const failures = sumOf(400, 600);
  const { hits = failures } = more;
  return {
    ...{ path: '/page', failures, hits, on_demand: 0, search: 0, statuses, failing_share: failures / hits },
    ...{ client_errors: sumOf(400, 500), server_errors: sumOf(500, 600) },
    // Unless a test says otherwise, all met the same.
    ...{ on_demand_statuses: statuses, search_statuses: statuses },
    ...{ estimated: 0, estimated_hits: 0 },
    ...more,
  };
}
const textOf = (...row: Parameters<typeof failed>) => reasonOf(failed(...row)).text;

it('speaks of one, of two, of all and of some', () => {
  const restore = '. Restore the page, redirect it, or remove the links to it.';
  expect(textOf({ 404: 1 })).toBe(`The only visit failed, with 404${restore}`);
  expect(textOf({ 404: 2 })).toBe(`Both visits failed, with 404${restore}`);
  expect(textOf({ 404: 1_200 })).toBe(`All 1,200 visits failed, with 404${restore}`);
  expect(textOf({ 404: 150, 410: 49 }, { hits: 200 })).toBe(
    `199 of 200 visits failed, most often with 404${restore}`,
  );
  expect(textOf({ 404: 1 }, { hits: 40 })).toBe(`1 of 40 crawler visits failed, with 404${restore}`);
  expect(textOf({ 404: 1 }, { hits: 40, estimated_hits: 20 })).toBe(
    `1 of 40 crawler visits failed, with 404${restore} The numbers are estimates from samples.`,
  );
});

it('counts people who waited among the failures', () => {
  const text = (onDemand: number, statuses: Record<string, number>) =>
    textOf(statuses, { hits: 100, on_demand: onDemand });
  const rest = 'came from on-demand visits';
  const fix = 'Restore the page, redirect it, or remove the links to it.';
  expect(text(1, { 404: 1 })).toBe(`The only failure ${rest}, with 404. ${fix}`);
  expect(text(3, { 404: 3 })).toBe(`All 3 failures ${rest}, with 404. ${fix}`);
  expect(text(1, { 404: 3, 500: 1 })).toBe(`1 of 4 failures ${rest}, most often with 404. ${fix}`);
});

it('says of the server only what the server did', () => {
  const side = '. Check your server’s log for the cause.';
  expect(textOf({ 503: 1 })).toBe(`The only visit ended in a server error, with 503${side}`);
  // Most of single statuses is the 404, and half of the failures are no error of the server.
  expect(textOf({ 404: 3, 500: 2, 502: 1 }, { hits: 10 })).toBe(
    `3 of 10 visits ended in a server error, most often with 500${side}`,
  );
});

it('says what happened and what fixes it apart, too', () => {
  expect(reasonOf(failed({ 404: 4 }, { hits: 10, on_demand: 1 }))).toEqual({
    reason: 'people_are_waiting',
    why: '1 of 4 failures came from on-demand visits',
    title: 'Restore or redirect',
    fix: 'Restore the page, redirect it, or remove the links to it.',
    status: 404,
    text: '1 of 4 failures came from on-demand visits, with 404. Restore the page, redirect it, or remove the links to it.',
  });
});

it('names visits of search engines', () => {
  const text = (search: number) => textOf({ 404: 5 }, { hits: 10, search });
  expect(text(1)).toMatch(/^1 visit from an AI search engine failed, with 404\. /);
  expect(text(4)).toMatch(/^4 visits from AI search engines failed, with 404\. /);
});

it.each([
  [401, /signing in/],
  [403, /firewall/],
  [410, /redirect/],
  [429, /rate limit/],
  [418, /your server’s log for the reason/],
  [502, /your server’s log for the cause/],
])('says what likely fixes a %s', (status, fix) => {
  expect(textOf({ [status]: 3, 404: 1 }, { hits: 10, on_demand: 1 })).toMatch(fix);
});

it.each([401, 403, 410, 429])(
  'advises by the status %s, for whichever bots, at every visit or at some',
  (status) => {
    const { fix } = reasonOf(failed({ [status]: 1 }, { hits: 40, on_demand: 1 }));
    for (const [some, more] of [
      [{ [status]: 1 }, {}],
      [{ [status]: 4 }, { hits: 40 }],
      [{ [status]: 4 }, { hits: 40, search: 2 }],
    ] as const)
      expect(reasonOf(failed(some, more))).toMatchObject({ fix, status });
    expect(fix).not.toMatch(/^Restore/);
  },
);

it.each([
  ['/.well-known/webmcp.json', /^Publish a WebMCP manifest/],
  ['/robots.txt', /^Add a robots\.txt/],
  ['/sitemap.xml', /^Add a sitemap/],
  ['/llms.txt', /^Add an llms\.txt/],
])('advises to add %s where it is missing, and as for any page where it fails otherwise', (path, fix) => {
  expect(reasonOf(failed({ 404: 3 }, { path })).fix).toMatch(fix);
  expect(reasonOf(failed({ 403: 3 }, { path })).fix).toMatch(/firewall/);
  expect(reasonOf(failed({ 500: 3 }, { path })).fix).toMatch(/your server’s log for the cause/);
  expect(reasonOf(failed({ 404: 3 }, { path: `/shop${path}` })).fix).toMatch(/^Restore/);
});

it('names the status of those whom it speaks of', () => {
  const ofAll = { 404: 6, 500: 5 };
  expect(
    reasonOf(failed(ofAll, { hits: 40, on_demand: 3, on_demand_statuses: { 404: 1, 500: 2 } })),
  ).toMatchObject({
    status: 500,
    text: '3 of 11 failures came from on-demand visits, most often with 500. Check your server’s log for the cause.',
  });
  expect(reasonOf(failed(ofAll, { hits: 40, search: 1, search_statuses: { 403: 1 } }))).toMatchObject({
    status: 403,
    text: '1 visit from an AI search engine failed, with 403. Check that your firewall and bot rules let this bot through.',
  });
  // As many of either side: the lower one is no error of the server.
  expect(reasonOf(failed({ 404: 3, 500: 3 }, { hits: 9 }))).toMatchObject({
    reason: 'server_errors',
    status: 500,
  });
});

it('never has a plural for one, whatever the numbers', () => {
  const weight = fc.double({ min: 1, max: 1e6, noNaN: true });
  fc.assert(
    fc.property(weight, weight, weight, fc.boolean(), fc.boolean(), (some, more, rest, asked, searched) => {
      const { text } = reasonOf(
        failed(
          { 404: some, 500: more },
          {
            hits: some + more + rest,
            ...(asked ? { on_demand: some } : {}),
            ...(searched ? { search: some } : {}),
          },
        ),
      );
      expect(text).not.toMatch(/\b(?:All|of) 1 (?:visits|failures)|^1 visits/);
    }),
  );
});
