/** The styles of every page are loaded once the browser rests: a class that two pages define by itself would change both. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const SOURCE = fileURLToPath(new URL('..', import.meta.url));

/** `pages/webhooks` or `features/reports`: whose styles they are. */
const roomOf = (file: string): string => file.split('/').slice(0, 2).join('/');

/** Names of classes that a selector consists of alone. */
function alone(css: string): string[] {
  const plain = css.replace(/\/\*.*?\*\//gs, '').replace(/\([^()]*\)/g, '()');
  return [...plain.matchAll(/([^{};]+)\{/g)].flatMap(([, selector = '']) =>
    selector.split(',').flatMap((part) => /^\s*\.([a-z][\w-]*)\s*$/.exec(part)?.[1] ?? []),
  );
}

it('no class has rules of its own in the styles of two rooms', () => {
  const rooms = new Map<string, Set<string>>();
  const files = globSync('{pages,features}/**/*.css', { cwd: SOURCE });
  expect(files.length).toBeGreaterThan(30);
  for (const file of files)
    for (const name of alone(readFileSync(`${SOURCE}/${file}`, 'utf8')))
      rooms.set(name, (rooms.get(name) ?? new Set()).add(roomOf(file)));
  expect(rooms.get('row-act')).toEqual(new Set(['pages/deliveries']));
  expect(
    [...rooms].filter(([, owners]) => owners.size > 1).map(([name, owners]) => [name, ...owners]),
  ).toEqual([]);
});
