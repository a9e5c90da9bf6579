import { FileForm, FileMenu } from './FileMenu.tsx';

const FORMATS = ['csv', 'ndjson'] as const;

interface FileLinksProps {
  /** For screen readers: `these conversions`. */
  what: string;
  /** Of the file, without its ending. */
  name: string;
  href: (format: (typeof FORMATS)[number]) => string;
}

/** A list as files: all of it, with the filters that are set. The service streams them. */
export function FileLinks({ what, name, href }: FileLinksProps) {
  return (
    <FileMenu what={what}>
      {(menu) =>
        FORMATS.map((format) => (
          <menu.Item key={format} className="menu-item" asChild>
            <a href={href(format)} download={`${name}.${format}`}>
              <FileForm form={format} />
            </a>
          </menu.Item>
        ))
      }
    </FileMenu>
  );
}
