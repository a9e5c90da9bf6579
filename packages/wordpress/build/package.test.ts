/** The plugin's folder and its archive, as WordPress takes them. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, inflateRawSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { aboutSource } from '../../server/src/sources/index.ts';
import { PHPS, runPhp } from '../testing/php.ts';
import { PLUGIN, pluginArchive, pluginFiles } from './artefacts.ts';
import { generatedFiles } from './generated.ts';

const files = pluginFiles();
const textOf = (path: string): string => files.get(path)?.toString() ?? '';
const scripts = [...files.keys()].filter((path) => path.endsWith('.php'));
const VERSION = /Version:\s+(\S+)/.exec(textOf('ghostlight.php'))?.[1];

it('has its made files as the sources make them: run npm run wordpress', () => {
  for (const [path, content] of generatedFiles()) expect(textOf(path) === content, path).toBe(true);
});

it('names one version everywhere', () => {
  expect(VERSION).toMatch(/^\d+\.\d+\.\d+$/);
  expect(textOf('ghostlight.php')).toContain(`define( 'GHOSTLIGHT_VERSION', '${VERSION}' );`);
  expect(textOf('readme.txt')).toContain(`Stable tag: ${VERSION}\n`);
  expect(textOf('readme.txt')).toContain(`= ${VERSION} =\n`);
  expect(aboutSource('wordpress')?.latestVersion).toBe(VERSION);
});

it('has a readme in WordPress’s form, with the same requirements as the plugin', () => {
  const readme = textOf('readme.txt');
  const plugin = textOf('ghostlight.php');
  expect(readme).toMatch(/^=== Ghostlight ===\n/);
  for (const name of ['Requires at least', 'Requires PHP', 'License', 'License URI']) {
    const value = new RegExp(`^ \\* ${name}:\\s+(.+)$`, 'm').exec(plugin)?.[1];
    expect(readme).toContain(`\n${name}: ${value}\n`);
  }
  for (const section of [
    'Description',
    'Installation',
    'Frequently Asked Questions',
    'External services',
    'Changelog',
  ])
    expect(readme).toContain(`\n== ${section} ==\n`);
  // WordPress's directory shows 150 characters of it.
  expect(readme.split('\n\n')[1]?.length).toBeLessThanOrEqual(150);
});

it.each(scripts)('%s gives nothing away when a browser asks for it', (path) => {
  expect(textOf(path)).toMatch(
    path === 'uninstall.php'
      ? /^defined\( 'WP_UNINSTALL_PLUGIN' \) \|\| exit;$/m
      : /^defined\( 'ABSPATH' \) \|\| exit;$/m,
  );
  expect(textOf(path)).not.toContain('\r');
  expect(textOf(path).startsWith('<?php\n')).toBe(true);
  expect(textOf(path)).not.toContain('?>');
});

it('prints nothing that is not escaped, and takes nothing of a form without a nonce and a capability', () => {
  for (const path of scripts)
    for (const [index, line] of textOf(path).split('\n').entries())
      if (/\becho\b/.test(line) && !/esc_|phpcs:ignore|echo '[^']*';/.test(line))
        expect.fail(`${path}:${index + 1} ${line}`);
  const page = textOf('includes/class-ghostlight-settings-page.php');
  for (const [, handler] of page.matchAll(/'admin_post_ghostlight_\w+', array\( __CLASS__, '(\w+)' \)/g))
    expect(page).toMatch(new RegExp(`function ${handler}\\(\\) \\{\\n\\t\\tself::guard\\(`));
});

it('translates every sentence by its own text domain, and removes all that it stores', () => {
  for (const path of scripts)
    for (const [call, words] of textOf(path).matchAll(
      /\b(?:esc_html|esc_attr)?_[_n_](?:_)?\( ('(?:[^'\\]|\\.)*'[^)]*)\)/g,
    ))
      expect(words, `${path}: ${call}`).toContain("'ghostlight'");
  const all = scripts
    .filter((path) => path !== 'uninstall.php')
    .map(textOf)
    .join('\n');
  const uninstall = textOf('uninstall.php');
  for (const [, name = ''] of all.matchAll(
    /(?:const \w+ += |(?:get|update|add)_option\( )'ghostlight_(\w+)'/g,
  ))
    expect(uninstall).toContain(`'${name}'`);
});

it.skipIf(PHPS.length === 0)(
  'has no syntax that one of the installed PHPs refuses',
  async () => {
    for (const php of PHPS)
      for (const path of scripts)
        expect(await runPhp(php, ['-l', join(PLUGIN, path)]), php).toContain('No syntax errors');
  },
  120_000,
);

it('is packed as one folder, the same each time', () => {
  const archive = pluginArchive();
  expect(archive.equals(pluginArchive())).toBe(true);
  const read = new Map<string, Buffer>();
  let offset = 0;
  while (archive.readUInt32LE(offset) === 0x04034b50) {
    const [packed, size] = [archive.readUInt32LE(offset + 18), archive.readUInt32LE(offset + 22)];
    const nameEnd = offset + 30 + archive.readUInt16LE(offset + 26);
    const content = inflateRawSync(archive.subarray(nameEnd, nameEnd + packed));
    expect([content.length, crc32(content)]).toEqual([size, archive.readUInt32LE(offset + 14)]);
    read.set(archive.subarray(offset + 30, nameEnd).toString(), content);
    offset = nameEnd + packed;
  }
  expect([...read.keys()]).toEqual([...files.keys()].map((path) => `ghostlight/${path}`));
  expect(read.get('ghostlight/ghostlight.php')?.equals(files.get('ghostlight.php') ?? Buffer.alloc(0))).toBe(
    true,
  );
});

it.skipIf(!existsSync('/usr/bin/unzip'))('is an archive that unzip takes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ghostlight-zip-'));
  writeFileSync(join(folder, 'plugin.zip'), pluginArchive());
  execFileSync('/usr/bin/unzip', ['-q', 'plugin.zip'], { cwd: folder });
  expect(readFileSync(join(folder, 'ghostlight/readme.txt'), 'utf8')).toBe(textOf('readme.txt'));
  rmSync(folder, { recursive: true });
});
