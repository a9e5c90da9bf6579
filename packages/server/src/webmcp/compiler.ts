/** JSON Schema 2020-12, compiled by ajv. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { SchemaObject } from './schema-walk.ts';

/** Its own schemas take an instance 20 to 40 ms at the first use (measured), and it keeps something of everything that it compiled. */
const USES = 200;

export interface Compiled {
  /** null: the schema is none. */
  readonly validate: ValidateFunction | null;
  readonly errors: readonly ErrorObject[];
  /** What ajv finds doubtful in a schema that it takes. */
  readonly notes: readonly string[];
}

/** @throws what ajv does at a schema that is one, but does not compile */
export type Compile = (schema: SchemaObject) => Compiled;

export function createCompiler(): Compile {
  let idle: { readonly ajv: Ajv2020; readonly notes: string[]; uses: number } | null = null;
  return (schema) => {
    const taken = idle !== null && idle.uses < USES ? idle : fresh();
    // Given back at the end alone: one that was stopped half way, or that threw, is of no further use.
    idle = null;
    const { ajv, notes } = taken;
    notes.length = 0;
    const sound = ajv.validateSchema(schema) !== false;
    const errors = sound ? [] : (ajv.errors ?? []);
    const validate = sound ? ajv.compile(schema) : null;
    ajv.removeSchema(schema);
    taken.uses += 1;
    idle = taken;
    return { validate, errors, notes: [...notes] };
  };
}

function fresh() {
  const notes: string[] = [];
  return { ajv: createAjv((message) => notes.push(message)), notes, uses: 0 };
}

/** Formats are annotations, as 2020-12 has them. */
export function createAjv(note: (message: string) => void): Ajv2020 {
  return new Ajv2020({
    strict: true,
    // Matters of taste that correct schemas fail; they are reported as warnings.
    strictTypes: 'log',
    strictTuples: 'log',
    strictRequired: 'log',
    allErrors: true,
    validateFormats: false,
    logger: { log: note, warn: note, error: note },
  });
}
