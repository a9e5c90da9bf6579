import { readablePath } from '../../format/visible.ts';

/** Longer ones are cut on the screen, and whole on hover. */
const CUT_FROM = 120;

/** A path, which anybody may have made up. */
export function PathText({ path }: { path: string }) {
  return (
    <span className="path mono" title={path.length > CUT_FROM ? path : undefined}>
      {readablePath(path)}
    </span>
  );
}
