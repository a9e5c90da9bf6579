import { once } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { type Log, traceWith } from '../common/index.ts';
import { recordingTracer } from '../common/testing-tracer.ts';
import { inTurn, startJobs } from './index.ts';

function recorder(): Log & { errors: object[] } {
  const errors: object[] = [];
  const log: Log & { errors: object[] } = {
    errors,
    debug: () => {},
    info: () => {},
    warn: () => {},
    error: (fields) => errors.push(fields),
    child: () => log,
  };
  return log;
}
const always = async (_name: string, run: () => Promise<void>) => {
  await run();
  return true;
};

describe('jobs', () => {
  it('run by their schedule, and a failing one affects no other', async () => {
    const log = recorder();
    const good = vi.fn(async () => {});
    const bad = vi.fn(async () => Promise.reject(new Error('no')));
    const jobs = startJobs(
      [
        { name: 'good', schedule: '* * * * * *', run: good },
        { name: 'bad', schedule: '* * * * * *', run: bad },
      ],
      { withLock: always, log, enabled: true },
    );
    await vi.waitFor(() => expect(good.mock.calls.length).toBeGreaterThan(1), { timeout: 5_000 });
    await jobs.stop(5_000);
    expect(bad).toHaveBeenCalled();
    expect(log.errors).toContainEqual(expect.objectContaining({ job: 'bad' }));
  });

  it('stay silent where the lock is held elsewhere', async () => {
    const run = vi.fn(async () => {});
    const jobs = startJobs([{ name: 'one', schedule: '0 3 * * *', run }], {
      withLock: async () => false,
      log: recorder(),
      enabled: false,
    });
    await jobs.runNow('one');
    expect(run).not.toHaveBeenCalled();
    await jobs.stop(5_000);
  });

  it('are a trace each, failed ones too, and none where another node runs them', async () => {
    const tracer = recordingTracer();
    let isHeld = false;
    const jobs = startJobs(
      [
        { name: 'good', schedule: '0 3 * * *', run: async () => {} },
        { name: 'bad', schedule: '0 3 * * *', run: () => Promise.reject(new RangeError('no')) },
      ],
      {
        withLock: (name, run) => (isHeld ? Promise.resolve(false) : always(name, run)),
        log: recorder(),
        enabled: false,
        trace: traceWith(tracer),
      },
    );
    await jobs.runNow('good');
    await expect(jobs.runNow('bad')).rejects.toThrow('no');
    isHeld = true;
    await jobs.runNow('good');
    expect(tracer.roots.map(({ name, failed }) => [name, failed])).toEqual([
      ['job good', undefined],
      ['job bad', 'RangeError'],
    ]);
    await jobs.stop(5_000);
  });

  it('are waited for at the stop', async () => {
    let finished = false;
    const jobs = startJobs(
      [
        {
          name: 'slow',
          schedule: '0 3 * * *',
          run: async () => {
            await new Promise((resolve) => setTimeout(resolve, 50));
            finished = true;
          },
        },
      ],
      { withLock: always, log: recorder(), enabled: true },
    );
    void jobs.runNow('slow');
    await jobs.stop(5_000);
    expect(finished).toBe(true);
  });

  it('get a signal to end at the stop; one that does not listen is named in the log and left behind', async () => {
    const log = recorder();
    const left: object[] = [];
    const told = vi.fn();
    const jobs = startJobs(
      [
        { name: 'listens', schedule: '0 3 * * *', run: (signal) => once(signal, 'abort').then(told) },
        { name: 'deaf', schedule: '0 3 * * *', run: () => new Promise(() => {}) },
      ],
      { withLock: always, log: { ...log, warn: (fields: object) => left.push(fields) }, enabled: true },
    );
    void jobs.runNow('listens');
    void jobs.runNow('deaf');
    await jobs.stop(20);
    expect(told).toHaveBeenCalledTimes(1);
    expect(left).toEqual([{ jobs: ['deaf'] }]);
  });

  it('by an unknown name are an error that says so', async () => {
    const jobs = startJobs([], { withLock: always, log: recorder(), enabled: false });
    await expect(jobs.runNow('nope')).rejects.toThrow('There is no job named nope.');
  });
});

it('has a job of several parts done in turn, whichever of them fail, and fails then itself', async () => {
  const done: string[] = [];
  const part = (name: string, fails: boolean) => async () => {
    await Promise.resolve();
    done.push(name);
    if (fails) throw new Error(name);
  };
  const work = inTurn([part('first', true), part('second', false), part('third', true)]);
  const error = await work(new AbortController().signal).catch((thrown: unknown) => thrown);
  expect(done).toEqual(['first', 'second', 'third']);
  expect((error as AggregateError).errors.map(({ message }: Error) => message)).toEqual(['first', 'third']);
  await expect(inTurn([part('fourth', false)])(new AbortController().signal)).resolves.toBeUndefined();
  await inTurn([part('fifth', false)])(AbortSignal.abort());
  expect(done).not.toContain('fifth');
});
