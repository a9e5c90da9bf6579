import { readablePath } from '../../format/visible.ts';

interface FolderTrailProps {
  /** Begins and ends with `/`. */
  prefix: string;
  onOpen: (prefix: string | undefined) => void;
}

/** The folders above the one that is open, each a way back to it. */
export function FolderTrail({ prefix, onOpen }: FolderTrailProps) {
  const names = prefix.split('/').filter((name) => name !== '');
  return (
    <nav className="folder-trail mono" aria-label="Folder">
      <button
        type="button"
        className="report-link"
        disabled={names.length === 0}
        onClick={() => onOpen(undefined)}
      >
        /
      </button>
      {names.map((name, index) => {
        const path = `/${names.slice(0, index + 1).join('/')}/`;
        return index === names.length - 1 ? (
          <span key={path} aria-current="location">
            {readablePath(name)}/
          </span>
        ) : (
          <button key={path} type="button" className="report-link" onClick={() => onOpen(path)}>
            {readablePath(name)}/
          </button>
        );
      })}
    </nav>
  );
}
