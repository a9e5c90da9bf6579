/** How a worker reads each kind of job. */
import { type LinesSource, type Screens, SOURCES } from '../../sources/index.ts';
import { inflate, wholeOf } from '../body/body.ts';
import type { PropertyFacts } from '../owners.ts';
import type { IngestContext } from '../pipeline.ts';
import { requestOf } from '../source-request.ts';
import { ArrayReading } from '../transports/array-reading.ts';
import { readInflated } from '../upload/inflated.ts';
import { tooMuchWork, UploadReading } from '../upload/reading.ts';
import type { JobLine } from './job-line.ts';
import type { ArrayJob, Job, Reads, UploadJob } from './messages.ts';

/** Rows are handed back in groups: one message, not one per row. Larger groups live long enough to become garbage that is collected late. */
const GROUP_ROWS = 128;

/** Elements of an array are classified, and then forgotten, in groups: a body of 1 MiB may have 350,000. */
const GROUP_ELEMENTS = 256;

/** What a job is done with. */
export interface Desk {
  readonly line: JobLine;
  /** Resolves when it is the job's turn. @throws when the job is wanted no more */
  turn(): Promise<void>;
  contextOf(properties: PropertyFacts): IngestContext;
}

export function createLinesReader() {
  const screens = new Map<string, Screens | null>();
  const screensOf = (source: LinesSource): Screens | null => {
    const { name } = source.about;
    const known = screens.get(name);
    if (known !== undefined) return known;
    const made = source.screens?.() ?? null;
    screens.set(name, made);
    return made;
  };

  /** @throws ServiceError; when the job is wanted no more */
  return async (job: UploadJob, { line, turn, contextOf }: Desk): Promise<Reads['lines']> => {
    const { properties, attributionId, ownAttributionId, encoding, limits, head } = job;
    const source = sourceOf(job, 'lines');
    const context = { ...contextOf(properties), attributionId, ownAttributionId };
    const reading = new UploadReading(source, requestOf(job.request), context, screensOf(source), limits);
    let leftMs = limits.uploadWorkMs;
    const step = async (work: () => boolean): Promise<boolean> => {
      await turn();
      const before = process.threadCpuUsage();
      const isDone = work();
      const { user, system } = process.threadCpuUsage(before);
      leftMs -= (user + system) / 1_000;
      if (leftMs < 0) throw tooMuchWork();
      if (reading.waitingRows >= GROUP_ROWS) await line.stage(reading.takeRows());
      return isDone;
    };
    await readInflated(head, line.pieces(), encoding, line.signal, async (chunk) => {
      const steps = reading.read(chunk);
      while (!(await step(() => steps.next().done === true)));
    });
    await step(() => {
      reading.end();
      return true;
    });
    if (reading.waitingRows > 0) await line.stage(reading.takeRows());
    await line.settled();
    return reading.result();
  };
}

/** @throws ServiceError; when the job is wanted no more */
export async function readArray(job: ArrayJob, { line, turn, contextOf }: Desk): Promise<Reads['array']> {
  const { key, encoding, most, receivedAt } = job;
  const body = wholeOf(await Array.fromAsync(line.pieces()));
  const plain = await inflate(body, encoding, most);
  await turn();
  const reading = new ArrayReading(sourceOf(job, 'array'), plain.toString(), key, receivedAt);
  while (!reading.isDone) {
    await turn();
    const properties = await line.ask(reading.decode(GROUP_ELEMENTS));
    await turn();
    reading.classify(contextOf(properties));
  }
  return reading.result();
}

function sourceOf<T extends Job['transport']>(job: Job & { transport: T }, transport: T) {
  const source = SOURCES.find(({ about }) => about.name === job.source);
  if (source?.transport !== transport) throw new Error(`${job.source} is no source of ${transport}`);
  return source as Extract<(typeof SOURCES)[number], { transport: T }>;
}
