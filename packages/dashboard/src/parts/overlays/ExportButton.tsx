import type { ReactNode } from 'react';
import { IconDownload } from '../icons.tsx';
import { Menu, type MenuParts } from './Menu.tsx';

/** The button of a page's head that opens the files of its list. */
export function ExportButton({ children }: { children: (menu: MenuParts) => ReactNode }) {
  return (
    <Menu
      className="button"
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
