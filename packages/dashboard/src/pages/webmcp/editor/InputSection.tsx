import { useState } from 'react';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import { Problem } from '../../../parts/Field.tsx';
import { IconInfo } from '../../../parts/icons.tsx';
import { Segments } from '../../../parts/Switch.tsx';
import { CodeArea } from '../controls/CodeArea.tsx';
import { hiddenIn, writeForm } from '../model/fields.ts';
import { type Input, type InputMode, type Switch, schemaOf, switchMode } from '../model/input.ts';
import {
  atLines,
  atShortLines,
  innerProblems,
  type LineProblem,
  ofNoRow,
  type PlacedProblem,
} from '../model/problems.ts';
import { ToolSection } from './BasicsSection.tsx';
import { FieldRows } from './FieldRows.tsx';
import { HiddenNote } from './HiddenNote.tsx';

const MODES: readonly (readonly [InputMode, string])[] = [
  ['short', 'Simple'],
  ['fields', 'Fields'],
  ['json', 'JSON Schema'],
];
const NAMES = new Map(MODES);

interface InputSectionProps {
  input: Input;
  problems: readonly PlacedProblem[];
  /** `same`: the same schema in another notation. */
  onInput: (input: Input, same: boolean) => void;
}

/** One schema in three notations. What a notation can't show is kept, or the switch is refused with a reason. */
export function InputSection({ input, problems, onInput }: InputSectionProps) {
  const [refused, setRefused] = useState<{ mode: InputMode; result: Switch & { ok: false } } | null>(null);
  const announce = useAnnounce();
  const change = (next: Input, same = false) => {
    setRefused(null);
    onInput(next, same);
  };
  const choose = (mode: InputMode) => {
    const result = switchMode(input, mode);
    if (result.ok) change(result.input, true);
    else {
      setRefused({ mode, result });
      announce(`Can’t be shown as ${NAMES.get(mode)}. ${result.reasons.join('; ')}`);
    }
  };
  return (
    <ToolSection
      title="Input"
      about="What an agent sends. A stricter schema means fewer failed calls."
      aside={<Segments legend="Notation" value={input.mode} options={MODES} onChoose={choose} />}
    >
      {refused !== null && (
        <Refusal
          mode={refused.mode}
          from={input.mode}
          result={refused.result}
          onLossy={(next) => change(next)}
          onKeep={() => setRefused(null)}
        />
      )}
      {input.mode === 'short' && (
        <CodeArea
          label="Input, simple form"
          value={input.text}
          minLines={4}
          placeholder={'{\n  "sku": "string",\n  "quantity": "number"\n}'}
          problems={mistakesOf(input) ?? atShortLines(input.text, problems)}
          onText={(text) => change({ mode: 'short', text })}
        />
      )}
      {input.mode === 'json' && (
        <CodeArea
          label="Input, JSON Schema"
          value={input.text}
          minLines={10}
          problems={mistakesOf(input) ?? atLines(input.text, problems)}
          onText={(text) => change({ mode: 'json', text })}
        />
      )}
      {input.mode === 'fields' && (
        <>
          {ofNoRow(
            schemaOf(input).ok ? innerProblems(problems) : [],
            input.form.fields.map(({ name }) => name),
          ).map((problem) => (
            <Problem key={`${problem.inner} ${problem.message}`} said={problem} />
          ))}
          <HiddenNote hidden={hiddenIn(writeForm(input.form))} />
          <FieldRows
            form={input.form}
            problems={innerProblems(problems)}
            onForm={(form) => change({ mode: 'fields', form })}
          />
        </>
      )}
      {input.mode === 'short' && (
        <p className="field-hint">
          Every input is required and nothing else is accepted. Types are string, number, integer and boolean;
          they expand to a JSON Schema.
        </p>
      )}
    </ToolSection>
  );
}

interface RefusalProps {
  mode: InputMode;
  from: InputMode;
  result: Switch & { ok: false };
  onLossy: (input: Input) => void;
  onKeep: () => void;
}

function Refusal({ mode, from, result: { reasons, lossy }, onLossy, onKeep }: RefusalProps) {
  return (
    <div className="notice refusal">
      <IconInfo label="Note" />
      <div>
        <p>
          {lossy === undefined
            ? `It can’t be shown as ${NAMES.get(mode)}:`
            : 'The simple form can’t express all of it:'}
        </p>
        <ul>
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
        <div className="refusal-actions">
          {lossy !== undefined && (
            <button type="button" className="button button-small button-bad" onClick={() => onLossy(lossy)}>
              Use the simple form and drop the rest
            </button>
          )}
          <button type="button" className="button button-small" onClick={onKeep}>
            Stay with {NAMES.get(from)}
          </button>
        </div>
      </div>
    </div>
  );
}

/** Problems of the text as a schema, by line; null when it is valid. */
function mistakesOf(input: Input): LineProblem[] | null {
  const read = schemaOf(input);
  return read.ok ? null : read.mistakes.map((mistake) => ({ ...mistake, severity: 'error' }));
}
