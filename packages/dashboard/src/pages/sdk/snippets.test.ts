import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { snippet } from '../../../../sdk/src/snippet.ts';
import { CONSENTS, FORMS, readSdkSearch } from './search.ts';
import { consentSnippet, installSnippet, loaderLines, serverSnippet, visitorSnippet } from './snippets.ts';

const VALUES = { attributionId: '0b6f1d1e-7d7c-4a39-9d6c-6f2f6f1c1a11', endpoint: 'https://in.example' };

interface Stub {
  q: [method: string, args: ArrayLike<unknown>, done: (result: unknown) => void][];
}

/** Runs the text of a script element on a page that records additions to its head. */
function paste(html: string): { stub: Stub; loaded: string[] } {
  const [, code = ''] = /^<script>\n([\s\S]*)<\/script>\n$/.exec(html) ?? [];
  const loaded: string[] = [];
  const document = {
    createElement: () => ({}),
    head: { appendChild: ({ src }: { src: string }) => loaded.push(src) },
  };
  const page: Record<string, unknown> = { document, Promise };
  page['window'] = page;
  runInNewContext(code, page);
  return { stub: page['ghostlight'] as Stub, loaded };
}

describe('the script to paste', () => {
  it.each(CONSENTS)(
    'shows its start and the call with the property, and folds what loads it (%s)',
    (consent) => {
      const code = installSnippet('script', consent, VALUES);
      const { from, to } = loaderLines(code);
      const lines = code.trimEnd().split('\n');
      const shown = [...lines.slice(0, from), ...lines.slice(to)];
      expect(shown.slice(0, 4)).toEqual([
        '<script>',
        '(function (w, d, src) {',
        '})(window, document, "https://in.example/sdk.js");',
        'ghostlight.init({',
      ]);
      expect(shown.length).toBeLessThanOrEqual(9);
      expect(to - from).toBeGreaterThan(10);
    },
  );

  it('is the SDK’s own', () => {
    for (const consent of ['asked', 'tool'] as const) {
      expect(installSnippet('script', consent, VALUES)).toBe(snippet(VALUES));
    }
  });

  it.each(CONSENTS)('loads the script and keeps the start for it (%s)', (consent) => {
    const { stub, loaded } = paste(installSnippet('script', consent, VALUES));
    expect(loaded).toEqual(['https://in.example/sdk.js']);
    expect(stub.q).toHaveLength(1);
    const [method, args] = stub.q[0] ?? [];
    expect(method).toBe('init');
    expect(JSON.parse(JSON.stringify(Array.from(args ?? [])))).toEqual([
      consent === 'granted' ? { ...VALUES, consent: { analytics: true, advertising: true } } : VALUES,
    ]);
  });
});

it('imports and calls only exports of the package', () => {
  const door = readFileSync(new URL('../../../../sdk/src/index.ts', import.meta.url), 'utf8');
  const names = [...door.matchAll(/^export const (\w+):/gm)].map((match) => match[1]);
  expect(names).toContain('init');
  for (const form of FORMS) {
    for (const consent of CONSENTS) {
      const texts = [
        installSnippet(form, consent, VALUES),
        consentSnippet(form, consent) ?? '',
        visitorSnippet(form),
      ];
      for (const [, name = ''] of texts.join('\n').matchAll(/(?:import \{ |\bghostlight\.)(\w+)/g)) {
        expect(names).toContain(name);
      }
    }
  }
});

it('has consent code unless consent was given before', () => {
  expect(consentSnippet('script', 'granted')).toBeNull();
  expect(consentSnippet('module', 'asked')).toMatch(/^import \{ setConsent \}/);
});

it('reads the key from the environment in the server’s code', () => {
  const text = serverSnippet('https://in.example/webhooks/custom/x/purchase');
  expect(text).toContain('process.env.GHOSTLIGHT_WEBHOOK_KEY');
  expect(text).toContain('visitor_id: order.visitor_id');
});

it('reads form and consent from the address, and nothing else', () => {
  expect(readSdkSearch({ form: 'module', consent: 'tool', x: 1 })).toEqual({
    form: 'module',
    consent: 'tool',
  });
  expect(readSdkSearch({ form: 'script', consent: 'none' })).toEqual({});
});
