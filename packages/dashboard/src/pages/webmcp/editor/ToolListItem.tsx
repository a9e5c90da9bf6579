import type { KeyboardEvent } from 'react';
import { ForWhoMay } from '../../../features/session/ForWhoMay.tsx';
import { IconInfo, IconWarning } from '../../../parts/icons.tsx';
import { IconGrip } from '../icons.tsx';
import type { EditedTool } from '../model/editor.ts';
import { type PlacedProblem, toolLabel } from '../model/problems.ts';

interface ToolListItemProps {
  tool: EditedTool;
  selected: boolean;
  problems: readonly PlacedProblem[];
  helpId: string;
  dragging: boolean;
  /** What is dragged would come here. */
  target: boolean;
  onSelect: () => void;
  onStep: (step: 1 | -1) => void;
  onDrag: () => void;
  onOver: () => void;
  onDrop: () => void;
  onEnd: () => void;
}

export function ToolListItem(props: ToolListItemProps) {
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
      <ForWhoMay>
        <button
          type="button"
          className="tool-grip"
          aria-label={`Move ${label}`}
          aria-describedby={helpId}
          draggable
          onKeyDown={step}
          onDragStart={(event) => {
            event.dataTransfer.effectAllowed = 'move';
            // Firefox drags nothing that carries nothing.
            event.dataTransfer.setData('text/plain', label);
            const row = event.currentTarget.parentElement;
            if (row !== null) event.dataTransfer.setDragImage(row, 8, 16);
            props.onDrag();
          }}
          onDragEnd={props.onEnd}
        >
          <IconGrip />
        </button>
      </ForWhoMay>
      <button type="button" className="tool-open" aria-current={selected} onClick={props.onSelect}>
        <span className="tool-open-name mono">{label}</span>
        {tool.tool.title && <span className="tool-open-title">{tool.tool.title}</span>}
      </button>
      {problems.length > 0 && (
        <span className="tool-problems" data-severity={errors > 0 ? 'error' : 'warning'}>
          {errors > 0 ? <IconWarning label="Problems" /> : <IconInfo label="Warnings" />}
          <span className="number">{errors > 0 ? errors : problems.length}</span>
        </span>
      )}
    </li>
  );
}
