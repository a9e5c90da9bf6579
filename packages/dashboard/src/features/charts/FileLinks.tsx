import { ExportButton } from '../../parts/overlays/ExportButton.tsx';
import type { MenuParts } from '../../parts/overlays/Menu.tsx';
import { FileForm, FileMenu } from './FileMenu.tsx';

const FORMATS = ['csv', 'ndjson'] as const;

interface FilesOfList {
  /** Of the file, without its ending. */
  name: string;
  href: (format: (typeof FORMATS)[number]) => string;
}

interface FileLinksProps extends FilesOfList {
  /** For screen readers: `these conversions`. */
  what: string;
}

/** A list as files: all of it, with the filters that are set. The service streams them. */
export function FileLinks({ what, ...files }: FileLinksProps) {
  return <FileMenu what={what}>{(menu) => <Files menu={menu} {...files} />}</FileMenu>;
}

interface ListExportProps extends FilesOfList {
  /** What the files hold: `All conversions, with these filters`. */
  what: string;
}

/** The same from the head of a page. */
export function ListExport({ what, ...files }: ListExportProps) {
  return (
    <ExportButton title="Export" detail={what}>
      {(menu) => <Files menu={menu} {...files} />}
    </ExportButton>
  );
}

function Files({ menu, name, href }: FilesOfList & { menu: MenuParts }) {
  return FORMATS.map((format) => (
    <menu.Item key={format} className="menu-item" asChild>
      <a href={href(format)} download={`${name}.${format}`}>
        <FileForm form={format} />
      </a>
    </menu.Item>
  ));
}
