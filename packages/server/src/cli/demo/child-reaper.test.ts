import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, vi } from 'vitest';
import { childrenNamed } from './child-reaper.ts';

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** A process that holds a `sleep` on a reaper. @param name that the reaper takes it for  @returns the process, and the number of the `sleep` */
async function holder(name: string): Promise<{ kill: (signal: NodeJS.Signals) => void; held: number }> {
  const script = `
    import { spawn } from 'node:child_process';
    import { childrenNamed, reaper } from '${new URL('./child-reaper.ts', import.meta.url).href}';
    spawn('sleep', ['600'], { stdio: 'ignore' });
    const [pid] = await childrenNamed('sleep');
    const { release } = reaper(pid, '${name}');
    process.on('SIGTERM', () => { release(); process.exit(0); });
    console.log(pid);
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [told] = (await once(child.stdout, 'data')) as [Buffer];
  return { kill: (signal) => void child.kill(signal), held: Number(told.toString()) };
}

it('ends the child of a process that was killed', async () => {
  const { kill, held } = await holder('sleep');
  expect(isAlive(held)).toBe(true);
  kill('SIGKILL');
  await vi.waitFor(() => expect(isAlive(held)).toBe(false), { timeout: 20_000, interval: 50 });
});

it.each([
  { what: 'it was asked to release', name: 'sleep', signal: 'SIGTERM' },
  { what: 'bears another name by now', name: 'workerd', signal: 'SIGKILL' },
] as const)('leaves alone what $what', async ({ name, signal }) => {
  const { kill, held } = await holder(name);
  kill(signal);
  try {
    // Nothing is to happen: many times as long as it would take to happen.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(isAlive(held)).toBe(true);
  } finally {
    process.kill(held, 'SIGKILL');
  }
});

it('knows no child of a name that none has', async () => {
  expect(await childrenNamed('no-such-program')).toEqual([]);
});
