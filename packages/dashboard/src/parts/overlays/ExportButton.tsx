import type { ReactNode } from 'react';
import { IconDownload } from '../icons.tsx';
import { Menu, type MenuParts } from './Menu.tsx';

interface ExportButtonProps {
  /** There is nothing to export. */
  disabled?: boolean;
  children: (menu: MenuParts) => ReactNode;
}

/** The button of a page's head that opens the files of its list. */
export function ExportButton({ disabled = false, children }: ExportButtonProps) {
  return (
    <Menu
      className="button"
      disabled={disabled}
      face={
        <>
          <IconDownload />
          <span className="action-word">Export</span>
        </>
      }
      align="end"
    >
      {children}
    </Menu>
  );
}
