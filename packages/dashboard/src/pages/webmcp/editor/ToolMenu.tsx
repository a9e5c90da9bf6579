import { DropdownMenu } from 'radix-ui';
import { IconMore } from '../icons.tsx';

interface ToolMenuProps {
  name: string;
  first: boolean;
  last: boolean;
  onMove: (step: 1 | -1) => void;
  onDuplicate: () => void;
  onRemove: () => void;
}

export function ToolMenu({ name, first, last, onMove, onDuplicate, onRemove }: ToolMenuProps) {
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
