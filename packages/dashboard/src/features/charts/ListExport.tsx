import { ExportButton } from '../../parts/overlays/ExportButton.tsx';

const FORMATS = ['csv', 'ndjson'] as const;

interface ListExportProps {
  /** What the files hold: `All conversions, with these filters`. */
  what: string;
  /** Of the file, without its ending. */
  name: string;
  href: (format: (typeof FORMATS)[number]) => string;
}

/** The list of a page as files, from the head of the page. The service streams them. */
export function ListExport({ what, name, href }: ListExportProps) {
  return (
    <ExportButton>
      {(menu) => (
        <>
          <menu.Label className="menu-label">{what}</menu.Label>
          {FORMATS.map((format) => (
            <menu.Item key={format} className="menu-item" asChild>
              <a href={href(format)} download={`${name}.${format}`}>
                {format.toUpperCase()}
              </a>
            </menu.Item>
          ))}
        </>
      )}
    </ExportButton>
  );
}
