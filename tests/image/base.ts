/**
 * Base images without a registry: what the Dockerfile names in FROM is made of Debian's packages. That of the first stages also gets the Node
 * and npm of this machine; they only install and build.
 */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { must } from './program.ts';

const MIRROR = 'http://deb.debian.org/debian';

type Buildah = (...words: readonly string[]) => Promise<string>;

/** @param images by the names of the Dockerfile's arguments @param folder where the file system is put together */
export async function makeBases(
  buildah: Buildah,
  images: { readonly node: string; readonly base: string },
  folder: string,
): Promise<void> {
  const root = join(folder, 'debian');
  const release = /:(\w+)-slim$/.exec(images.base)?.[1];
  if (release === undefined) throw new Error(`${images.base} is no release of Debian.`);
  if (!existsSync(join(root, 'etc/debian_version')))
    await must('debootstrap', ['--variant=minbase', '--include=ca-certificates', release, root, MIRROR]);
  const base = (await buildah('from', 'scratch')).trim();
  await buildah('copy', '--quiet', base, root, '/');
  await buildah('config', '--cmd', '/bin/bash', '--env', 'PATH=/usr/local/bin:/usr/bin:/bin', base);
  await buildah('commit', '--quiet', base, images.base);

  const npm = join(dirname(realpathSync((await must('which', ['npm'])).trim())), '..');
  await buildah('copy', '--quiet', base, process.execPath, '/usr/local/bin/node');
  await buildah('copy', '--quiet', base, npm, '/usr/local/lib/node_modules/npm');
  await buildah('run', base, '--', 'apt-get', 'update', '-qq');
  await buildah('run', base, '--', 'apt-get', 'install', '-qq', '--yes', 'libatomic1');
  for (const name of ['npm', 'npx'])
    await buildah(
      ...[
        'run',
        base,
        '--',
        'ln',
        '-s',
        `../lib/node_modules/npm/bin/${name}-cli.js`,
        `/usr/local/bin/${name}`,
      ],
    );
  await buildah('commit', '--quiet', '--rm', base, images.node);
}
