/** What a tool's schema must be before it may be published, beyond the manifest's own rules: it compiles, its patterns end, its references stay inside. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { PatternCheck } from './pattern-check.ts';
import { error, type ManifestProblem, token, warning } from './problem.ts';
import { isObject, type SchemaObject, subschemas } from './schema-walk.ts';
import { TookTooLong, type Watchdog } from './watchdog.ts';

/** A schema of 16 KiB compiles in 1 to 185 ms (measured); the first of an instance takes 40 more. */
const COMPILE_MS = 1_000;
const PROBE_MS = 100;
const MAX_REPORTED = 20;

/** What ajv takes beyond the standard, and other validators do not. */
const FOREIGN = new Set(['$async', 'nullable', 'discriminator']);

export interface SchemaCheckDeps {
  readonly watchdog: Watchdog;
  readonly checkPattern: PatternCheck;
}

/**
 * A compiler for the schemas of one check; thrown away with it, because an instance keeps everything that it has compiled. Formats are
 * annotations, as 2020-12 has them.
 */
export function createCompiler(note: (message: string) => void): Ajv2020 {
  return new Ajv2020({
    strict: true,
    // Matters of taste that correct schemas fail; they are told as warnings.
    strictTypes: 'log',
    strictTuples: 'log',
    strictRequired: 'log',
    allErrors: true,
    validateFormats: false,
    logger: { log: note, warn: note, error: note },
  });
}

/** @param schema at most 16 KiB and as deep as the manifest allows. @param pointer where it stands in the request's body */
export function checkSchema(
  schema: SchemaObject,
  pointer: string,
  { watchdog, checkPattern }: SchemaCheckDeps,
): ManifestProblem[] {
  const notes: string[] = [];
  const ajv = createCompiler((message) => notes.push(message));
  const problems = [...subschemas(schema)].flatMap((part) => [
    ...keywordProblems(part.schema, pointer + part.pointer, ajv),
    ...patternProblems(part.schema, pointer + part.pointer, checkPattern),
  ]);
  if (problems.length > 0) return problems.slice(0, MAX_REPORTED);
  try {
    const validate = watchdog(() => compiled(ajv, schema), COMPILE_MS);
    if (Array.isArray(validate))
      return validate.map((found) => placed(found, pointer)).slice(0, MAX_REPORTED);
    watchdog(() => validate({}), PROBE_MS);
  } catch (thrown) {
    return [error(pointer, sentenceOf(thrown))];
  }
  return [...new Set(notes)].slice(0, MAX_REPORTED).map((note) => warning(pointer, plain(note)));
}

function compiled(ajv: Ajv2020, schema: SchemaObject): ValidateFunction | ErrorObject[] {
  const valid = ajv.validateSchema(schema);
  return valid === false ? [...(ajv.errors ?? [])] : ajv.compile(schema);
}

function placed(found: ErrorObject, pointer: string): ManifestProblem {
  return error(
    pointer + found.instancePath,
    `This is no JSON Schema 2020-12: it ${found.message ?? 'is wrong'}.`,
  );
}

function keywordProblems(schema: SchemaObject, pointer: string, ajv: Ajv2020): ManifestProblem[] {
  return Object.entries(schema).flatMap(([key, value]) => {
    const at = pointer + token(key);
    if (key === '$id')
      return [
        error(at, 'Leave $id out: a schema in a manifest is found by its place, and its references by #.'),
      ];
    if (FOREIGN.has(key) || ajv.getKeyword(key) === false)
      return [error(at, `${JSON.stringify(key)} is no keyword of JSON Schema 2020-12; take it out.`)];
    if ((key === '$ref' || key === '$dynamicRef') && !(typeof value === 'string' && value.startsWith('#')))
      return [
        error(at, 'Refer to a place in this schema only, such as #/$defs/address: agents fetch no schema.'),
      ];
    return [];
  });
}

function patternProblems(schema: SchemaObject, pointer: string, check: PatternCheck): ManifestProblem[] {
  const { pattern, patternProperties } = schema;
  const found = [
    ...(typeof pattern === 'string' ? [{ text: pattern, at: `${pointer}/pattern` }] : []),
    ...Object.keys(isObject(patternProperties) ? patternProperties : {}).map((text) => ({
      text,
      at: `${pointer}/patternProperties${token(text)}`,
    })),
  ];
  return found.flatMap(({ text, at }) => {
    const sentence = check(text);
    return sentence === null ? [] : [error(at, sentence)];
  });
}

function sentenceOf(thrown: unknown): string {
  if (thrown instanceof TookTooLong)
    return 'The schema takes too long to check; make it smaller, with fewer references.';
  // A schema that refers to itself with nothing in between: every validator runs out of stack on it.
  if (thrown instanceof RangeError)
    return 'The schema refers to itself without end; give the recursion a place to stop.';
  return `The schema does not compile: ${plain(thrown instanceof Error ? thrown.message : String(thrown))}.`;
}

/** ajv's own words, bounded: they quote the schema. */
const plain = (message: string): string => message.replace(/^strict mode: /, '').slice(0, 300);
