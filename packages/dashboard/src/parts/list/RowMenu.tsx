import { Fragment } from 'react';
import { Menu } from '../overlays/Menu.tsx';

interface RowAction {
  readonly label: string;
  readonly onSelect: () => void;
  /** Takes something away: below a line, in red. */
  readonly isBad?: boolean;
}

/** The actions of a row, behind one quiet button at its end. @param name of what the row is about */
export function RowMenu({ name, actions }: { name: string; actions: readonly RowAction[] }) {
  return (
    <Menu className="icon-button" label={`More for ${name}`} title={name} face={<IconMore />} align="end">
      {(menu) =>
        actions.map(({ label, onSelect, isBad = false }, index) => (
          <Fragment key={label}>
            {isBad && index > 0 && <menu.Separator className="menu-separator" />}
            <menu.Item className={isBad ? 'menu-item text-bad' : 'menu-item'} onSelect={onSelect}>
              {label}
            </menu.Item>
          </Fragment>
        ))
      }
    </Menu>
  );
}

/** In the style of parts/icons.tsx; here because the first view needs none of it. */
export function IconMore() {
  return (
    <svg className="icon" width="16" height="16" viewBox="0 0 16 16" fill="currentColor" aria-hidden="true">
      {[3.5, 8, 12.5].map((x) => (
        <circle key={x} cx={x} cy="8" r="1.2" />
      ))}
    </svg>
  );
}
