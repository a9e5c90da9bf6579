/** The Nodes that a machine has: the one of this repository, and the one that its owner installed, which is often older. */
import { execFile } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

export interface NodeOnMachine {
  readonly path: string;
  /** `v26.10.0` */
  readonly version: string;
}

/** @param oldest major version; older ones are left out */
export async function nodesOfThisMachine(oldest: number): Promise<NodeOnMachine[]> {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const found = new Map<string, NodeOnMachine>();
  for (const path of [process.execPath, ...folders.map((folder) => join(folder, 'node'))]) {
    const version = await versionOf(path);
    if (version !== null && Number.parseInt(version.slice(1), 10) >= oldest && !found.has(version))
      found.set(version, { path, version });
  }
  return [...found.values()];
}

/** Null where there is none, or none that answers. */
async function versionOf(path: string): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)(path, ['--version'], { timeout: 10_000 });
    return /^v\d+\.\d+\.\d+/.exec(stdout)?.[0] ?? null;
  } catch {
    return null;
  }
}
