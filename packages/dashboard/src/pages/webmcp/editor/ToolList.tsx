import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import type { Edit, Editor } from '../model/editor.ts';
import { type PlacedProblem, problemsOfTool, toolLabel } from '../model/problems.ts';
import { ToolListItem } from './ToolListItem.tsx';

interface ToolListProps {
  editor: Editor;
  problems: readonly PlacedProblem[];
  dispatch: (action: Edit) => void;
  addButton: ReactNode;
}

/** The tools in their order. A row's handle moves it, by dragging or with the arrow keys. */
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

/** Takes the focus: the menu that removed the tool went with it. */
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
