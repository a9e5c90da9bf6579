import { DropdownMenu } from 'radix-ui';
import { useState } from 'react';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import { Problem } from '../../../parts/Field.tsx';
import { IconPlay } from '../../../parts/icons.tsx';
import { IconMore } from '../../../parts/list/RowMenu.tsx';
import { type Edit, type EditedTool, toolOf } from '../model/editor.ts';
import { schemaOf } from '../model/input.ts';
import { atPart, type PlacedProblem, toolLabel } from '../model/problems.ts';
import { TryDialog } from '../tryout/TryDialog.tsx';
import { BasicsSection, PlaceSection } from './BasicsSection.tsx';
import { HintsSection } from './HintsSection.tsx';
import { InputSection } from './InputSection.tsx';
import { ProblemsButton } from './ProblemsButton.tsx';

interface ToolEditorProps {
  tool: EditedTool;
  index: number;
  count: number;
  /** Just added: its name gets the focus. */
  fresh: boolean;
  hosts: readonly string[];
  problems: readonly PlacedProblem[];
  onReview: ((problem: PlacedProblem) => void) | null;
  dispatch: (action: Edit) => void;
}

export function ToolEditor(props: ToolEditorProps) {
  const { tool, index, count, fresh, hosts, problems, onReview, dispatch } = props;
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
        {onReview !== null && <ProblemsButton problems={problems} name="warning" onShow={onReview} />}
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
            announce(`Removed ${toolLabel(tool)}. You can undo this.`);
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

interface ToolMenuProps {
  name: string;
  first: boolean;
  last: boolean;
  onMove: (step: 1 | -1) => void;
  onDuplicate: () => void;
  onRemove: () => void;
}

function ToolMenu({ name, first, last, onMove, onDuplicate, onRemove }: ToolMenuProps) {
  const rows: readonly [string, () => void, boolean][] = [
    ['Move up', () => onMove(-1), first],
    ['Move down', () => onMove(1), last],
    ['Duplicate', onDuplicate, false],
  ];
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="icon-button" aria-label={`More for ${name}`}>
        <IconMore />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end" sideOffset={6} collisionPadding={12}>
          {rows.map(([label, act, disabled]) => (
            <DropdownMenu.Item key={label} className="menu-item" disabled={disabled} onSelect={act}>
              {label}
            </DropdownMenu.Item>
          ))}
          <DropdownMenu.Separator className="menu-separator" />
          <DropdownMenu.Item className="menu-item text-bad" onSelect={onRemove}>
            Remove
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
