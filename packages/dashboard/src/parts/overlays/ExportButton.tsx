import type { ReactNode } from 'react';
import { IconDownload } from '../icons.tsx';
import { Menu, type MenuParts } from './Menu.tsx';

interface ExportButtonProps {
  /** What is exported: `Export 16 bots`. */
  title: string;
  /** Of which period, and whatever else narrows it. */
  detail: ReactNode;
  /** There is nothing to export. */
  disabled?: boolean;
  children: (menu: MenuParts) => ReactNode;
}

/** The button of a page's head that opens the files of its list. */
export function ExportButton({ title, detail, disabled = false, children }: ExportButtonProps) {
  return (
    <Menu
      className="button"
      {...{ title, detail, disabled }}
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
