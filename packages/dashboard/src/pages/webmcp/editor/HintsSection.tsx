import { useId } from 'react';
import { Problem } from '../../../parts/Field.tsx';
import type { EditedTool } from '../model/editor.ts';
import type { PlacedProblem } from '../model/problems.ts';
import type { Hint } from '../types.ts';
import { ToolSection } from './BasicsSection.tsx';

const ROWS: readonly { hint: Hint; title: string; about: string }[] = [
  {
    hint: 'readOnlyHint',
    title: 'Read-only',
    about: 'It changes nothing, so an agent may call it without asking.',
  },
  {
    hint: 'destructiveHint',
    title: 'Deletes or overwrites',
    about: 'It may destroy something, so an agent should ask its user first.',
  },
  { hint: 'idempotentHint', title: 'Safe to repeat', about: 'The same call again changes nothing more.' },
  {
    hint: 'openWorldHint',
    title: 'External effects',
    about: 'It interacts with systems other than this site.',
  },
  {
    hint: 'untrustedContentHint',
    title: 'Untrusted content',
    about:
      'It returns user content, such as reviews or comments, which agents must not follow as instructions.',
  },
];
const STATES: readonly (readonly [string, string])[] = [
  ['', 'Not set'],
  ['true', 'Yes'],
  ['false', 'No'],
];

interface HintsSectionProps {
  tool: EditedTool['tool'];
  problem: PlacedProblem | undefined;
  onTool: (tool: EditedTool['tool']) => void;
}

/** Three states each: an absent hint has its own default in MCP. */
export function HintsSection({ tool, problem, onTool }: HintsSectionProps) {
  const id = useId();
  const { annotations = {}, ...rest } = tool;
  const choose = (hint: Hint, state: string) => {
    const { [hint]: _old, ...others } = annotations;
    const next = state === '' ? others : { ...others, [hint]: state === 'true' };
    onTool(Object.keys(next).length === 0 ? rest : { ...rest, annotations: next });
  };
  return (
    <ToolSection title="Hints" about="What an agent may assume before it asks its user. Not verified.">
      {problem !== undefined && <Problem said={problem} />}
      <ul className="hints">
        {ROWS.map(({ hint, title, about }) => (
          <li key={hint}>
            <label htmlFor={`${id}-${hint}`}>
              {title}
              <span className="way-about">{about}</span>
            </label>
            <select
              id={`${id}-${hint}`}
              className="input select"
              data-set={annotations[hint] !== undefined}
              value={String(annotations[hint] ?? '')}
              onChange={(event) => choose(hint, event.target.value)}
            >
              {STATES.map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          </li>
        ))}
      </ul>
    </ToolSection>
  );
}
