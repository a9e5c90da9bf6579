import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { RequirePermission } from '../../../features/session/RequirePermission.tsx';
import { counted } from '../../../format/names.ts';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import { IconChevronDown, IconWarning } from '../../../parts/icons.tsx';
import type { Edit, EditedTool, Editor } from '../model/editor.ts';
import { type PlacedProblem, problemsOfTool, toolLabel } from '../model/problems.ts';

interface ToolListProps {
  editor: Editor;
  problems: readonly PlacedProblem[];
  dispatch: (action: Edit) => void;
  addButton: ReactNode;
}

/** The tools in order. A row's handle moves it, by dragging or with the arrow keys. */
export function ToolList({ editor, problems, dispatch, addButton }: ToolListProps) {
  const headingId = useId();
  const helpId = useId();
  const announce = useAnnounce();
  const [dragged, setDragged] = useState<string | null>(null);
  const [over, setOver] = useState<number | null>(null);
  const { tools, selected, removed } = editor;
  const move = (key: string, to: number) => {
    const from = tools.findIndex((tool) => tool.key === key);
    const tool = tools[from];
    if (tool === undefined || to === from || to < 0 || to >= tools.length) return;
    dispatch({ type: 'move', key, to });
    announce(`${toolLabel(tool)} is now ${to + 1} of ${tools.length}`);
  };
  const end = () => {
    setDragged(null);
    setOver(null);
  };
  return (
    <section aria-labelledby={headingId}>
      <header className="side-head">
        <h2 id={headingId}>
          Tools <span className="number quiet">{tools.length}</span>
        </h2>
        {addButton}
      </header>
      <p id={helpId} className="visually-hidden">
        Press arrow up or arrow down to move it.
      </p>
      <ol className="tool-list">
        {tools.map((tool, index) => (
          <ToolListItem
            key={tool.key}
            tool={tool}
            selected={tool.key === selected}
            problems={problemsOfTool(problems, tool.key)}
            helpId={helpId}
            dragging={tool.key === dragged}
            target={over === index && dragged !== tool.key}
            onSelect={() => dispatch({ type: 'select', key: tool.key })}
            onStep={(step) => move(tool.key, index + step)}
            onDrag={() => setDragged(tool.key)}
            onOver={() => setOver(index)}
            onDrop={() => {
              if (dragged !== null) move(dragged, index);
              end();
            }}
            onEnd={end}
          />
        ))}
      </ol>
      {removed !== null && (
        <Removed
          key={removed.tool.key}
          label={toolLabel(removed.tool)}
          onUndo={() => {
            dispatch({ type: 'undo-remove' });
            announce(`${toolLabel(removed.tool)} is back`);
          }}
        />
      )}
    </section>
  );
}

/** Takes the focus, because the menu that removed the tool is gone. */
function Removed({ label, onUndo }: { label: string; onUndo: () => void }) {
  const undo = useRef<HTMLButtonElement>(null);
  useEffect(() => undo.current?.focus(), []);
  return (
    <p className="removed">
      <span className="break">Removed {label}.</span>
      <button ref={undo} type="button" className="button button-small" onClick={onUndo}>
        Undo
      </button>
    </p>
  );
}

/** In the style of parts/icons.tsx. */
function IconGrip() {
  return (
    <svg className="icon" width="16" height="16" viewBox="0 0 16 16" fill="currentColor" aria-hidden="true">
      {[4, 8, 12].map((y) => (
        <g key={y}>
          <circle cx="6" cy={y} r="1.1" />
          <circle cx="10" cy={y} r="1.1" />
        </g>
      ))}
    </svg>
  );
}

interface ToolListItemProps {
  tool: EditedTool;
  selected: boolean;
  problems: readonly PlacedProblem[];
  helpId: string;
  dragging: boolean;
  /** The dragged tool would be dropped here. */
  target: boolean;
  onSelect: () => void;
  onStep: (step: 1 | -1) => void;
  onDrag: () => void;
  onOver: () => void;
  onDrop: () => void;
  onEnd: () => void;
}

function ToolListItem(props: ToolListItemProps) {
  const { tool, selected, problems, helpId, dragging, target } = props;
  const label = toolLabel(tool);
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const step = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    props.onStep(event.key === 'ArrowUp' ? -1 : 1);
  };
  return (
    <li
      className="tool-item"
      data-selected={selected}
      data-dragging={dragging}
      data-target={target}
      onDragOver={(event) => {
        event.preventDefault();
        props.onOver();
      }}
      onDrop={(event) => {
        event.preventDefault();
        props.onDrop();
      }}
    >
      <RequirePermission>
        <button
          type="button"
          className="tool-grip"
          aria-label={`Move ${label}`}
          aria-describedby={helpId}
          draggable
          onKeyDown={step}
          onDragStart={(event) => {
            event.dataTransfer.effectAllowed = 'move';
            // Firefox starts a drag only when it has data.
            event.dataTransfer.setData('text/plain', label);
            const row = event.currentTarget.parentElement;
            if (row !== null) event.dataTransfer.setDragImage(row, 8, 16);
            props.onDrag();
          }}
          onDragEnd={props.onEnd}
        >
          <IconGrip />
        </button>
      </RequirePermission>
      <button type="button" className="tool-open" aria-current={selected} onClick={props.onSelect}>
        <span className="tool-open-name mono">{label}</span>
        {tool.tool.title && <span className="tool-open-title">{tool.tool.title}</span>}
        {problems.length > 0 && (
          <span className="tool-problem" data-severity={errors > 0 ? 'error' : 'warning'}>
            <IconWarning />
            {errors > 0 ? counted(errors, 'problem') : counted(problems.length, 'warning')}
          </span>
        )}
      </button>
      <span className="tool-go" aria-hidden="true">
        <IconChevronDown />
      </span>
    </li>
  );
}
