/** The same request in four languages, ready to run. Every value is quoted for its language. */
import { shellQuote } from '../../../format/visible.ts';
import type { Language } from '../search.ts';
import type { Body, JsonValue } from './bodies.ts';

export const KEY_PLACEHOLDER = '<WEBHOOK_KEY>';

export interface SampleValues {
  /** Address of the topic. */
  readonly url: string;
  /** Null until a key is issued in this tab. */
  readonly key: string | null;
  readonly body: Body;
}

const WRITERS: Readonly<Record<Language, (values: SampleValues & { key: string }) => string>> = {
  curl: ({ url, key, body }) =>
    [
      `curl -i ${shellQuote(url)} \\`,
      `  -H ${shellQuote(`Authorization: Bearer ${key}`)} \\`,
      `  -H 'Content-Type: application/json' \\`,
      `  -d ${shellQuote(JSON.stringify(body, null, 2))}`,
    ].join('\n'),

  node: ({ url, key, body }) =>
    [
      '// Node 20 or newer, as an ES module',
      `const response = await fetch(${jsQuote(url)}, {`,
      "  method: 'POST',",
      `  headers: { Authorization: ${jsQuote(`Bearer ${key}`)}, 'Content-Type': 'application/json' },`,
      `  body: JSON.stringify(${javascript(body, 1)}),`,
      '  signal: AbortSignal.timeout(5_000),',
      '});',
      'console.log(response.status, await response.json());',
    ].join('\n'),

  php: ({ url, key, body }) =>
    [
      '<?php',
      `$body = ${php(body, 0)};`,
      `$curl = curl_init(${phpQuote(url)});`,
      'curl_setopt_array($curl, [',
      '    CURLOPT_POST => true,',
      `    CURLOPT_HTTPHEADER => [${phpQuote(`Authorization: Bearer ${key}`)}, 'Content-Type: application/json'],`,
      '    CURLOPT_POSTFIELDS => json_encode($body),',
      '    CURLOPT_RETURNTRANSFER => true,',
      '    CURLOPT_TIMEOUT => 5,',
      ']);',
      '$answer = curl_exec($curl);',
      'echo curl_getinfo($curl, CURLINFO_RESPONSE_CODE), " ", $answer, "\\n";',
    ].join('\n'),

  python: ({ url, key, body }) =>
    [
      'import json, urllib.error, urllib.request',
      '',
      `body = ${python(body, 0)}`,
      'request = urllib.request.Request(',
      `    ${pythonQuote(url)},`,
      '    data=json.dumps(body).encode(),',
      `    headers={"Authorization": ${pythonQuote(`Bearer ${key}`)}, "Content-Type": "application/json"},`,
      ')',
      'try:',
      '    with urllib.request.urlopen(request, timeout=5) as response:',
      '        print(response.status, response.read().decode())',
      'except urllib.error.HTTPError as error:',
      '    print(error.code, error.read().decode())',
    ].join('\n'),
};

export function sample(language: Language, values: SampleValues): string {
  return WRITERS[language]({ ...values, key: values.key ?? KEY_PLACEHOLDER });
}

function javascript(value: JsonValue, depth: number): string {
  return literal(value, depth, {
    unit: '  ',
    object: ['{', '}'],
    pair: (name, text) => `${/^[a-z_]\w*$/i.test(name) ? name : jsQuote(name)}: ${text}`,
    word: (one) => (typeof one === 'string' ? jsQuote(one) : String(one)),
  });
}

function php(value: JsonValue, depth: number): string {
  return literal(value, depth, {
    unit: '    ',
    object: ['[', ']'],
    pair: (name, text) => `${phpQuote(name)} => ${text}`,
    word: (one) => (typeof one === 'string' ? phpQuote(one) : String(one)),
  });
}

function python(value: JsonValue, depth: number): string {
  return literal(value, depth, {
    unit: '    ',
    object: ['{', '}'],
    pair: (name, text) => `${pythonQuote(name)}: ${text}`,
    word: (one) =>
      typeof one === 'string'
        ? pythonQuote(one)
        : typeof one === 'boolean'
          ? one
            ? 'True'
            : 'False'
          : String(one),
  });
}

interface Dialect {
  readonly unit: string;
  readonly object: readonly [string, string];
  readonly pair: (name: string, text: string) => string;
  readonly word: (value: string | number | boolean) => string;
}

function literal(value: JsonValue, depth: number, dialect: Dialect): string {
  if (typeof value !== 'object') return dialect.word(value);
  const items = isList(value)
    ? value.map((one) => literal(one, depth + 1, dialect))
    : Object.entries(value).map(([name, one]) => dialect.pair(name, literal(one, depth + 1, dialect)));
  const [open, close] = isList(value) ? ['[', ']'] : dialect.object;
  const inner = dialect.unit.repeat(depth + 1);
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${dialect.unit.repeat(depth)}${close}`;
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function jsQuote(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** PHP's single quotes have two escapes and no variables. */
function phpQuote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** Python has all escapes of JSON but surrogate pairs, which `JSON.stringify` does not escape. */
function pythonQuote(text: string): string {
  return JSON.stringify(text);
}
