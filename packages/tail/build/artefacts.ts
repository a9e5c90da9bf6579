/** The files of the published package that are made, as a list: name → content. Deterministic: the same sources give the same bytes. */
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { noticeFor } from '../../collector/build/notice.ts';
import { VERSION } from '../src/version.ts';

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));

/** Paths relative to packages/tail. */
export async function makeArtefacts(): Promise<ReadonlyMap<string, string>> {
  const { outputFiles, metafile } = await build({
    // The comments that name a module's file are relative to it.
    absWorkingDir: REPOSITORY,
    entryPoints: ['packages/tail/src/bin.ts'],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    mainFields: ['module', 'main'],
    format: 'esm',
    target: 'node22',
    charset: 'utf8',
    // Licences are shipped whole, in NOTICE.
    legalComments: 'none',
    logLevel: 'silent',
  });
  const code = outputFiles[0]?.text ?? '';
  const packages = Object.keys(metafile.inputs).flatMap(
    (path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [],
  );
  const title = `// ghostlight-tail ${VERSION}. Apache-2.0; the works of others in it are named in its NOTICE.`;
  return new Map([
    ['dist/ghostlight-tail.js', `#!/usr/bin/env node\n${title}\n${code}`],
    ['NOTICE', noticeFor('ghostlight-tail', packages)],
  ]);
}
