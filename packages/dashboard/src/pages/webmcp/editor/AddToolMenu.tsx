import { DropdownMenu } from 'radix-ui';
import { IconPlus } from '../../../parts/icons.tsx';
import { type Edit, type Editor, freeToolName } from '../model/editor.ts';
import { blankTool, TEMPLATES } from '../model/templates.ts';
import type { Tool } from '../types.ts';

/** The most that a manifest may declare. */
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
          // The new tool's name has the focus already.
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
