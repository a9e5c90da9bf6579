import { DropdownMenu } from 'radix-ui';
import { IconCheck, IconColumns } from '../../../parts/icons.tsx';
import { type ColumnChoice, VISIT_COLUMNS } from './columns.tsx';

/** Which columns are shown. It stays open, because several are chosen at a time. */
export function ColumnMenu({
  choice: { columns, toggle, reset },
  disabled,
}: {
  choice: ColumnChoice;
  disabled: boolean;
}) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="button" aria-label="Columns" disabled={disabled}>
        <IconColumns />
        <span className="wide-only">Columns</span>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end" sideOffset={6} collisionPadding={12}>
          <DropdownMenu.Label className="menu-label">Columns, kept in this browser</DropdownMenu.Label>
          {VISIT_COLUMNS.map(({ key, title }) => (
            <DropdownMenu.CheckboxItem
              key={key}
              className="menu-item"
              checked={columns.some((column) => column.key === key)}
              onCheckedChange={() => toggle(key)}
              onSelect={(event) => event.preventDefault()}
            >
              <span className="menu-item-text">{title}</span>
              <DropdownMenu.ItemIndicator>
                <IconCheck />
              </DropdownMenu.ItemIndicator>
            </DropdownMenu.CheckboxItem>
          ))}
          <DropdownMenu.Separator className="menu-separator" />
          <DropdownMenu.Item className="menu-item" disabled={reset === null} onSelect={() => reset?.()}>
            Reset columns
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
