import { useState } from 'react';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import { Problem } from '../../../parts/Field.tsx';
import { IconPlay } from '../../../parts/icons.tsx';
import { type Edit, type EditedTool, toolOf } from '../model/editor.ts';
import { schemaOf } from '../model/input.ts';
import { atPart, type PlacedProblem, toolLabel } from '../model/problems.ts';
import { TryDialog } from '../tryout/TryDialog.tsx';
import { BasicsSection } from './BasicsSection.tsx';
import { HintsSection } from './HintsSection.tsx';
import { InputSection } from './InputSection.tsx';
import { PlaceSection } from './PlaceSection.tsx';
import { ToolMenu } from './ToolMenu.tsx';

interface ToolEditorProps {
  tool: EditedTool;
  index: number;
  count: number;
  /** Just put there: its name is written first. */
  fresh: boolean;
  hosts: readonly string[];
  problems: readonly PlacedProblem[];
  dispatch: (action: Edit) => void;
}

export function ToolEditor({ tool, index, count, fresh, hosts, problems, dispatch }: ToolEditorProps) {
  const [trying, setTrying] = useState(false);
  const announce = useAnnounce();
  const { key } = tool;
  const change = (next: EditedTool['tool']) => dispatch({ type: 'tool', key, tool: next });
  const whole = atPart(problems, 'whole');
  const move = (to: number) => {
    dispatch({ type: 'move', key, to });
    announce(`${toolLabel(tool)} is now ${to + 1} of ${count}`);
  };
  return (
    <article aria-label={`Tool ${toolLabel(tool)}`}>
      <header className="tool-head">
        <h2 className="break">{tool.tool.title || toolLabel(tool)}</h2>
        <button
          type="button"
          className="button button-small"
          disabled={!schemaOf(tool.input).ok}
          onClick={() => setTrying(true)}
        >
          <IconPlay />
          Try it
        </button>
        <ToolMenu
          name={toolLabel(tool)}
          first={index === 0}
          last={index === count - 1}
          onMove={(step) => move(index + step)}
          onDuplicate={() => dispatch({ type: 'duplicate', key })}
          onRemove={() => {
            dispatch({ type: 'remove', key });
            announce(`Removed ${toolLabel(tool)}. It can be brought back.`);
          }}
        />
      </header>
      {whole !== undefined && <Problem said={whole} />}
      <BasicsSection tool={tool.tool} fresh={fresh} problems={problems} onTool={change} />
      <PlaceSection tool={tool.tool} hosts={hosts} problems={problems} onTool={change} />
      <InputSection
        input={tool.input}
        problems={problems}
        onInput={(input, same) => dispatch({ type: 'input', key, input, same })}
      />
      <HintsSection tool={tool.tool} problem={atPart(problems, 'annotations')} onTool={change} />
      {trying && <TryDialog tool={toolOf(tool)} onClose={() => setTrying(false)} />}
    </article>
  );
}
