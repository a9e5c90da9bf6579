/** What a tool's schema must be before it may be published, beyond the manifest's own rules: it compiles, its patterns end, its references stay inside. */

import { setImmediate as breathe } from 'node:timers/promises';
import { isObject } from '@ghostlight/core';
import type { ErrorObject } from 'ajv/dist/2020.js';
import { createAjv, createCompiler } from './compiler.ts';
import type { PatternCheck } from './pattern-check.ts';
import { error, type ManifestProblem, token, warning } from './problem.ts';
import { type SchemaObject, subschemas } from './schema-walk.ts';
import { MAX_UNFOLDED, unfoldedSize } from './unfolded-size.ts';
import { TookTooLong, threadMs, type Watchdog } from './watchdog.ts';

/** A schema of 16 KiB compiles in 1 to 185 ms (measured). */
const COMPILE_MS = 1_000;
const PROBE_MS = 100;
const MAX_REPORTED = 20;

const UNFOLDS =
  'References multiply here: with each replaced by what it refers to, the schema has more than 10,000 parts. Refer to each definition from fewer places.';
const TOO_MUCH = 'All schemas together take too long to check; make them and their patterns simpler.';

/** What ajv takes beyond the standard, and other validators do not. */
const FOREIGN = new Set(['$async', 'nullable', 'discriminator']);

/**
 * Problems of a schema that is at most 16 KiB and as deep as the manifest allows.
 * @param pointer where it is in the request's body
 * @param end CPU time of this thread (`threadMs`) after which the rest is refused unread
 */
export type SchemaCheck = (schema: SchemaObject, pointer: string, end: number) => Promise<ManifestProblem[]>;

export function createSchemaCheck(deps: { watchdog: Watchdog; checkPattern: PatternCheck }): SchemaCheck {
  const { watchdog, checkPattern } = deps;
  const { keywords } = createAjv(() => undefined).RULES;
  const compile = createCompiler();
  const compileProblems = (schema: SchemaObject, pointer: string): ManifestProblem[] => {
    try {
      const { validate, errors, notes } = watchdog(() => compile(schema), COMPILE_MS);
      if (validate === null) return placed(errors, pointer);
      watchdog(() => validate({}), PROBE_MS);
      return [...new Set(notes)].slice(0, MAX_REPORTED).map((note) => warning(pointer, plain(note)));
    } catch (thrown) {
      return [error(pointer, sentenceOf(thrown))];
    }
  };
  return async (schema, pointer, end) => {
    const problems: ManifestProblem[] = [];
    for (const part of subschemas(schema)) {
      const at = pointer + part.pointer;
      problems.push(...keywordProblems(part.schema, at, keywords));
      for (const pattern of patternsOf(part.schema, at)) {
        if (threadMs() > end) return [...problems, error(pattern.pointer, TOO_MUCH)];
        const sentence = checkPattern(pattern.text);
        if (sentence !== null) problems.push(error(pattern.pointer, sentence));
        // Ingest runs on this thread too.
        await breathe();
      }
      if (problems.length >= MAX_REPORTED) break;
    }
    if (threadMs() > end) problems.push(error(pointer, TOO_MUCH));
    if (problems.length === 0 && unfoldedSize(schema) > MAX_UNFOLDED) problems.push(error(pointer, UNFOLDS));
    return problems.length > 0 ? problems.slice(0, MAX_REPORTED) : compileProblems(schema, pointer);
  };
}

/** One sentence for a place: of alternatives ajv tells every one that failed. */
function placed(found: readonly ErrorObject[], pointer: string): ManifestProblem[] {
  const first = new Map(found.toReversed().map((one) => [one.instancePath, one.message ?? 'is wrong']));
  return [...first]
    .toReversed()
    .slice(0, MAX_REPORTED)
    .map(([path, message]) =>
      error(pointer + path, `This is not a valid JSON Schema 2020-12: it ${message}.`),
    );
}

function keywordProblems(
  schema: SchemaObject,
  pointer: string,
  known: Readonly<Record<string, unknown>>,
): ManifestProblem[] {
  return Object.entries(schema).flatMap(([key, value]) => {
    const at = pointer + token(key);
    if (key === '$id')
      return [
        error(at, 'Remove $id: a schema in a manifest is identified by its position, and references use #.'),
      ];
    if (FOREIGN.has(key) || known[key] !== true)
      return [error(at, `${JSON.stringify(key)} is not a keyword of JSON Schema 2020-12; remove it.`)];
    if ((key === '$ref' || key === '$dynamicRef') && !(typeof value === 'string' && value.startsWith('#')))
      return [
        error(at, 'Refer to a place in this schema only, such as #/$defs/address: agents fetch no schema.'),
      ];
    return [];
  });
}

function patternsOf(schema: SchemaObject, pointer: string): { text: string; pointer: string }[] {
  const { pattern, patternProperties } = schema;
  const names = isObject(patternProperties) ? Object.keys(patternProperties) : [];
  return [
    ...(typeof pattern === 'string' ? [{ text: pattern, pointer: `${pointer}/pattern` }] : []),
    ...names.map((text) => ({ text, pointer: `${pointer}/patternProperties${token(text)}` })),
  ];
}

function sentenceOf(thrown: unknown): string {
  if (thrown instanceof TookTooLong)
    return 'The schema takes too long to check; make it smaller, with fewer references.';
  // A schema that refers to itself with nothing in between: every validator runs out of stack on it.
  if (thrown instanceof RangeError)
    return 'The schema refers to itself endlessly; give the recursion an end.';
  return `The schema does not compile: ${plain(thrown instanceof Error ? thrown.message : String(thrown))}.`;
}

/** ajv's own words, bounded: they quote the schema. */
const plain = (message: string): string => message.replace(/^strict mode: /, '').slice(0, 300);
