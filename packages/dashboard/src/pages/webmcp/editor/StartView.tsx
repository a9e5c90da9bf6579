import { DropdownMenu } from 'radix-ui';
import { RequirePermission } from '../../../features/session/RequirePermission.tsx';
import { IconPlus } from '../../../parts/icons.tsx';
import { EmptyState } from '../../../parts/states.tsx';
import { type Edit, type Editor, freeToolName } from '../model/editor.ts';
import { blankTool, TEMPLATES } from '../model/templates.ts';
import type { Tool } from '../types.ts';

/** The empty state: an explanation and templates. */
export function StartView({ domain, dispatch }: { domain: string; dispatch: (action: Edit) => void }) {
  const add = (tool: Tool) => dispatch({ type: 'add', tool });
  return (
    <div className="start">
      <EmptyState title="Declare tools for AI agents">
        A tool is an action that an agent can take on {domain} for its user: search, add to cart, book,
        contact you. Declare two or three. They are signed with a key of this property, and the collector
        serves them on your zone.
      </EmptyState>
      <RequirePermission>
        <ul className="templates" aria-label="Templates">
          {TEMPLATES.map(({ id, label, about, tool }) => (
            <li key={id}>
              <button type="button" className="template" onClick={() => add(tool(domain))}>
                <strong>{label}</strong>
                <span>{about}</span>
                <code>{tool(domain).name}</code>
              </button>
            </li>
          ))}
        </ul>
      </RequirePermission>
      <RequirePermission>
        <p className="start-blank">
          <button type="button" className="button" onClick={() => add(blankTool())}>
            Start with an empty tool
          </button>
        </p>
      </RequirePermission>
    </div>
  );
}

/** The most tools of a manifest. */
const MAX_TOOLS = 50;

interface AddToolMenuProps {
  host: string;
  editor: Editor;
  dispatch: (action: Edit) => void;
}

export function AddToolMenu({ host, editor, dispatch }: AddToolMenuProps) {
  const full = editor.tools.length >= MAX_TOOLS;
  const add = (tool: Tool) =>
    dispatch({ type: 'add', tool: { ...tool, name: freeToolName(editor, tool.name) } });
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger
        className="button button-small"
        disabled={full}
        title={full ? `A manifest holds at most ${MAX_TOOLS} tools` : undefined}
      >
        <IconPlus />
        Add tool
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="menu"
          align="end"
          sideOffset={6}
          collisionPadding={12}
          // The focus stays on the new tool's name.
          onCloseAutoFocus={(event) => event.preventDefault()}
        >
          <DropdownMenu.Label className="menu-label">From a template</DropdownMenu.Label>
          {TEMPLATES.map(({ id, label, about, tool }) => (
            <DropdownMenu.Item key={id} className="menu-item" onSelect={() => add(tool(host))}>
              <span className="menu-item-text">
                <span>{label}</span>
                <span className="menu-item-detail">{about}</span>
              </span>
            </DropdownMenu.Item>
          ))}
          <DropdownMenu.Separator className="menu-separator" />
          <DropdownMenu.Item className="menu-item" onSelect={() => add(blankTool())}>
            <span className="menu-item-text">
              <span>Empty tool</span>
            </span>
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
