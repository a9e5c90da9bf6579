import type { ReactNode } from 'react';
import { IconDownload } from '../../parts/icons.tsx';
import { Menu, type MenuParts } from '../../parts/overlays/Menu.tsx';
import './chart-files.css';

interface FileMenuProps {
  /** `AI bot visits per day`, `these conversions`. */
  what: string;
  children: (menu: MenuParts) => ReactNode;
}

/** What a card shows, as files: the same small button in every card. */
export function FileMenu({ what, children }: FileMenuProps) {
  return (
    <span className="chart-files">
      <Menu
        className="icon-button chart-file"
        label={`Download ${what}`}
        title={`Download ${what}`}
        face={<IconDownload />}
        align="end"
      >
        {children}
      </Menu>
    </span>
  );
}

const FORMS = {
  png: ['Download PNG', 'For slides and documents'],
  csv: ['Download CSV', 'For spreadsheets'],
  ndjson: ['Download JSON lines (NDJSON)', 'For scripts and databases'],
} as const;

/** The entry of a form, with what it is for. */
export function FileForm({ form }: { form: keyof typeof FORMS }) {
  const [name, use] = FORMS[form];
  return (
    <>
      <IconDownload />
      <span className="menu-item-text">
        <span>{name}</span> <span className="menu-item-detail">{use}</span>
      </span>
    </>
  );
}
