import { useState } from 'react';
import { Select } from '../../../parts/Select.tsx';
import { TextArea, TextInput } from '../../../parts/TextInput.tsx';
import { choicesOf, type FieldKind, itemKind, SCALARS, type Scalar, withKeyword } from '../model/fields.ts';
import { atKeyword, type InnerProblem } from '../model/problems.ts';
import type { JsonObject } from '../types.ts';

/** Keywords with a control in this panel, which shows their problems. */
export const LIMIT_KEYWORDS = [
  'enum',
  'pattern',
  'format',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'items',
] as const;
type Limit = (typeof LIMIT_KEYWORDS)[number];

/** Formats for agents; JSON Schema 2020-12 does not check them. */
const FORMATS = ['date', 'time', 'date-time', 'email', 'uri', 'uuid'] as const;

interface FieldLimitsProps {
  kind: Exclude<Scalar, 'boolean'> | 'array';
  schema: JsonObject;
  problems: readonly InnerProblem[];
  onSchema: (schema: JsonObject) => void;
}

export function FieldLimits({ kind, schema, problems, onSchema }: FieldLimitsProps) {
  const set = (keyword: Limit, value: unknown) => onSchema(withKeyword(schema, keyword, value));
  const said = (keyword: Limit) => atKeyword(problems, keyword);
  const number = (keyword: Limit, label: string) => (
    <TextInput
      label={label}
      type="number"
      step={1}
      value={String(schema[keyword] ?? '')}
      problem={said(keyword)}
      onText={(text) => set(keyword, text === '' ? undefined : Number(text))}
    />
  );
  if (kind === 'array') {
    const items = itemKind(schema);
    return (
      <div className="limits">
        {items === 'other' ? (
          <p className="field-hint">Its items stay as defined in the JSON Schema.</p>
        ) : (
          <Select
            label="Each item is"
            value={items}
            options={SCALARS.map((scalar) => [scalar, KIND_NAMES[scalar]])}
            problem={said('items')}
            onChoose={(type) => set('items', { type })}
          />
        )}
        {number('minItems', 'At least, items')}
        {number('maxItems', 'At most, items')}
      </div>
    );
  }
  return (
    <div className="limits">
      {kind === 'string' ? (
        <>
          {number('minLength', 'Shortest, characters')}
          {number('maxLength', 'Longest, characters')}
          <Format schema={schema} problem={said('format')} onFormat={(format) => set('format', format)} />
          <TextInput
            label="Pattern"
            code
            maxLength={1000}
            placeholder="^[A-Z]{3}-[0-9]+$"
            hint="A regular expression. It matches anywhere in the text; anchor it with ^ and $."
            value={String(schema['pattern'] ?? '')}
            problem={said('pattern')}
            onText={(text) => set('pattern', text === '' ? undefined : text)}
          />
        </>
      ) : (
        <>
          {number('minimum', 'Smallest')}
          {number('maximum', 'Largest')}
        </>
      )}
      <Choices
        numeric={kind !== 'string'}
        choices={choicesOf(schema)}
        problem={said('enum')}
        onChoices={(choices) => set('enum', choices)}
      />
    </div>
  );
}

interface SaidProps {
  problem: InnerProblem | undefined;
}

function Format({
  schema,
  problem,
  onFormat,
}: SaidProps & { schema: JsonObject; onFormat: (format: string | undefined) => void }) {
  const current = typeof schema['format'] === 'string' ? schema['format'] : '';
  const known = ['', ...FORMATS, ...(FORMATS.some((format) => format === current) ? [] : [current])];
  return (
    <Select
      label="Format"
      hint="A note for the agent; not checked."
      value={current}
      options={[...new Set(known)].map((format) => [format, format === '' ? 'Any text' : format])}
      problem={problem}
      onChoose={(format) => onFormat(format === '' ? undefined : format)}
    />
  );
}

interface ChoicesProps extends SaidProps {
  numeric: boolean;
  choices: readonly (string | number)[] | null;
  onChoices: (choices: readonly (string | number)[] | undefined) => void;
}

/** Kept as typed, because a new empty line is not a choice yet. */
function Choices({ numeric, choices, problem, onChoices }: ChoicesProps) {
  const [text, setText] = useState((choices ?? []).join('\n'));
  return (
    <TextArea
      label="Choices"
      note="one per line"
      code
      rows={3}
      hint="Only these are accepted. Leave empty for any value."
      value={text}
      problem={problem}
      onText={(typed) => {
        setText(typed);
        const lines = typed.split('\n').filter((line) => line.trim() !== '');
        const read: readonly (string | number)[] = numeric
          ? lines.map(Number).filter(Number.isFinite)
          : lines;
        onChoices(read.length === 0 ? undefined : [...new Set(read)]);
      }}
    />
  );
}

/** Names of the types of JSON Schema. */
export const KINDS = ['string', 'number', 'integer', 'boolean', 'array', 'object'] as const;

export const KIND_NAMES: Readonly<Record<FieldKind, string>> = {
  string: 'Text',
  number: 'Number',
  integer: 'Whole number',
  boolean: 'Yes or no',
  array: 'List',
  object: 'Group',
  other: 'Other',
};
