/** The rule by which paths are files and no pages (core's `isFilePath`), as the warehouse asks it. */
import { FILE_FOLDERS, fileEnding } from '@ghostlight/core';

/** A condition on a path, as SQL. Ends are looked for from the end, so the whole path is not read for them. */
export const isAsset = (path: string): string =>
  `(${FILE_FOLDERS.map((folder) => `startsWith(${path}, '${folder}')`).join(' OR ')} OR match(${path}, '${fileEnding()}'))`;
