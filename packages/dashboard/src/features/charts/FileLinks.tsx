import './chart-files.css';

const FORMATS = ['csv', 'ndjson'] as const;

interface FileLinksProps {
  /** For screen readers: `These conversions`. */
  what: string;
  /** Of the file, without its ending. */
  name: string;
  href: (format: (typeof FORMATS)[number]) => string;
}

/** A list as files: all of it, with the filters that are set. The service streams them. */
export function FileLinks({ what, name, href }: FileLinksProps) {
  return (
    <span className="chart-files">
      {FORMATS.map((format) => (
        <a
          key={format}
          className="chart-file"
          href={href(format)}
          download={`${name}.${format}`}
          aria-label={`${what} as ${format.toUpperCase()}`}
        >
          {format.toUpperCase()}
        </a>
      ))}
    </span>
  );
}
