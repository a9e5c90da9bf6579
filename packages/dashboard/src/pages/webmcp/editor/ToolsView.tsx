import type { Property } from '../../../api/types.ts';
import { RequirePermission } from '../../../features/session/RequirePermission.tsx';
import { Problem } from '../../../parts/Field.tsx';
import { IconArrow } from '../../../parts/icons.tsx';
import { EmptyState, ErrorState } from '../../../parts/states.tsx';
import type { Edit } from '../model/editor.ts';
import { type PlacedProblem, problemsOfTool } from '../model/problems.ts';
import type { Workspace } from '../useWorkspace.ts';
import { HostsEditor } from './HostsEditor.tsx';
import { AddToolMenu } from './StartView.tsx';
import { ToolEditor } from './ToolEditor.tsx';
import { ToolList } from './ToolList.tsx';
import type { Check } from './useCheck.ts';

interface ToolsViewProps {
  property: Property;
  workspace: Workspace;
  check: Check;
  /** Leads to a problem; null: the bar of what is to be published does. */
  onReview: ((problem: PlacedProblem) => void) | null;
  /** Which of the two panes a phone shows. */
  isToolOpen: boolean;
  onToolOpen: (isOpen: boolean) => void;
}

/** Two panes: tools and hosts at the left, the open tool at the right. */
export function ToolsView({
  property,
  workspace: { editor, dispatch: act },
  check,
  onReview,
  isToolOpen,
  onToolOpen,
}: ToolsViewProps) {
  const dispatch = (action: Edit) => {
    if (action.type === 'select' || action.type === 'add') onToolOpen(true);
    if (action.type === 'remove') onToolOpen(false);
    act(action);
  };
  const index = editor.tools.findIndex(({ key }) => key === editor.selected);
  const tool = editor.tools[index];
  const host = editor.hosts[0] || property.domain;
  const general = check.problems.filter(({ place }) => place.at === 'manifest');
  return (
    <div className="tools" data-open={isToolOpen}>
      <div className="tools-side">
        {general.map((problem) => (
          <Problem key={problem.message} said={problem} />
        ))}
        {check.error !== null && <ErrorState error={check.error} />}
        <ToolList
          editor={editor}
          problems={check.problems}
          dispatch={dispatch}
          addButton={
            <RequirePermission>
              <AddToolMenu host={host} editor={editor} dispatch={dispatch} />
            </RequirePermission>
          }
        />
        <RequirePermission>
          <HostsEditor
            hosts={editor.hosts}
            domain={property.domain}
            problems={check.problems}
            onHosts={(hosts) => dispatch({ type: 'hosts', hosts })}
          />
        </RequirePermission>
      </div>
      <div className="card tool-pane">
        <button type="button" className="button button-small tools-back" onClick={() => onToolOpen(false)}>
          <IconArrow />
          All tools
        </button>
        {tool === undefined ? (
          <EmptyState title="No tools">
            Published like this, the signed document is empty. Add a tool, or unpublish.
          </EmptyState>
        ) : (
          <RequirePermission>
            <ToolEditor
              key={tool.key}
              tool={tool}
              index={index}
              count={editor.tools.length}
              fresh={tool.key === editor.added}
              hosts={editor.hosts}
              problems={problemsOfTool(check.problems, tool.key)}
              onReview={onReview}
              dispatch={dispatch}
            />
          </RequirePermission>
        )}
      </div>
    </div>
  );
}
