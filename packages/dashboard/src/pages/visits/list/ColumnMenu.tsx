import { IconCheck, IconColumns } from '../../../parts/icons.tsx';
import { Menu } from '../../../parts/overlays/Menu.tsx';
import { type ColumnChoice, VISIT_COLUMNS } from './columns.tsx';

/** Which columns are shown. It stays open, because several are chosen at a time. */
export function ColumnMenu({ choice: { columns, toggle, reset } }: { choice: ColumnChoice }) {
  return (
    <Menu
      className="button"
      label="Columns"
      title="Columns"
      detail="Kept in this browser"
      face={
        <>
          <IconColumns />
          <span className="wide-only">Columns</span>
        </>
      }
      align="end"
    >
      {(menu) => (
        <>
          {VISIT_COLUMNS.map(({ key, title }) => (
            <menu.CheckboxItem
              key={key}
              className="menu-item"
              checked={columns.some((column) => column.key === key)}
              onCheckedChange={() => toggle(key)}
              onSelect={(event) => event.preventDefault()}
            >
              <span className="menu-item-text">{title}</span>
              <menu.ItemIndicator>
                <IconCheck />
              </menu.ItemIndicator>
            </menu.CheckboxItem>
          ))}
          <menu.Separator className="menu-separator" />
          <menu.Item className="menu-item" disabled={reset === null} onSelect={() => reset?.()}>
            Reset columns
          </menu.Item>
        </>
      )}
    </Menu>
  );
}
