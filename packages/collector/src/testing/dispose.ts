/** Closes what a test opened, last opened first, whatever the test's end. */
import { afterEach } from 'vitest';

interface Closable {
  close(): Promise<void>;
}

/** Call once per test file. @returns `closeAfter(opened)`: hands its argument back and closes it after the test */
export function closesAfterEach(): <T extends Closable>(opened: T) => T {
  const open: Closable[] = [];
  afterEach(async () => {
    for (const closable of open.splice(0).reverse()) await closable.close();
  });
  return (opened) => {
    open.push(opened);
    return opened;
  };
}
