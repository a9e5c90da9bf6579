/**
 * Where the time of a hit goes: processor time of this thread in each step from a body's text to the spool's row, for the collector and for log
 * push. A step runs over all hits before the next one begins, so that the clock is read once for thousands of calls.
 */
import { randomUUID } from 'node:crypto';
import { compileLists, embeddedLists } from '@ghostlight/core';
import { isbot } from 'isbot';
import {
  beforeSteps,
  type IngestContext,
  PIPELINE,
  verdictOf,
} from '../packages/server/src/ingest/pipeline.ts';
import { parseElements } from '../packages/server/src/ingest/transports/elements.ts';
import { edgeLogpush } from '../packages/server/src/sources/edge_logpush/index.ts';
import { edgeWorker } from '../packages/server/src/sources/edge_worker/index.ts';
import {
  type Decoded,
  isPassed,
  isRejection,
  type Observation,
  Unreadable,
} from '../packages/server/src/sources/source.ts';
import { toRow } from '../packages/server/src/warehouse/row.ts';
import { workerHit } from '../tests/harness/service.ts';
import type { Figure } from './harness.ts';
import { logpushLines } from './logpush-lines.ts';

const ROUNDS = 10;
const HITS = 40_000;
const LINES = 400_000;
/** Elements of a body, as the collector sends them under load. */
const PER_BODY = 100;
/** Of the inflated stream. */
const BLOCK_BYTES = 64 * 1024;

const ATTRIBUTION_ID = randomUUID();
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Safari/537.36';

/** What a step cost in one round. */
interface Cost {
  readonly step: string;
  /** How many reached it. */
  readonly hits: number;
  readonly micros: number;
}

/** The costs of one round, in the order of the steps. */
class Round {
  readonly costs: Cost[] = [];

  /** @returns what the step passes on */
  step<In, Out>(step: string, items: readonly In[], run: (item: In) => Out | null, perItem = 1): Out[] {
    const passed: Out[] = [];
    const before = process.threadCpuUsage();
    for (const item of items) {
      const out = run(item);
      if (out !== null) passed.push(out);
    }
    const { user, system } = process.threadCpuUsage(before);
    this.costs.push({ step, hits: items.length * perItem, micros: user + system });
    return passed;
  }

  pipeline(observations: readonly Observation[], context: IngestContext): void {
    let states = observations.map((observation) => beforeSteps(observation, context));
    for (const step of PIPELINE)
      states = this.step(step.name, states, (state) => (step(state, context) === null ? state : null));
  }
}

export async function steps(): Promise<Figure[]> {
  const context = contextOf();
  const bodies = collectorBodies();
  const blocks = logpushBlocks();
  const collector = await measured(() => collectorRound(bodies, context));
  const logpush = await measured(() => logpushRound(blocks, context));
  console.log(tableOf('collector', HITS, collector));
  console.log(tableOf('log push, 3% AI lines', LINES, logpush));
  return [];
}

function collectorRound(bodies: readonly string[], context: IngestContext): readonly Cost[] {
  const round = new Round();
  const elements = round.step('parse the body', bodies, parseElements, PER_BODY).flat();
  const decoded = round.step('decode', elements, (element) =>
    observed(edgeWorker.decode(element, context.receivedAt)),
  );
  round.pipeline(decoded, context);
  return round.costs;
}

interface Line {
  readonly block: Buffer;
  readonly start: number;
  readonly end: number;
}

function logpushRound(blocks: readonly Buffer[], context: IngestContext): readonly Cost[] {
  const round = new Round();
  const form = edgeLogpush.form({
    parameters: new URLSearchParams(),
    header: () => undefined,
    settings: {},
    retentionMs: 0,
    now: context.receivedAt,
  });
  const screen = edgeLogpush.screens?.()(context.lists, null);
  const screened = round.step(
    'cut and screen',
    blocks,
    (block) => {
      const text = block.toString('latin1');
      const lines: Line[] = [];
      screen?.begin();
      for (let start = 0; start < text.length; ) {
        const end = text.indexOf('\n', start);
        if (screen?.isOrdinary(text, start, end) !== true) lines.push({ block, start, end });
        start = end + 1;
      }
      return lines;
    },
    LINES / blocks.length,
  );
  const parsed = round.step('parse the line', screened.flat(), ({ block, start, end }) => {
    const line = form.parse(block, start, end);
    return line instanceof Unreadable ? null : line;
  });
  const ai = round.step('classify by traces', parsed, (line) => {
    const traces = form.traces(line);
    return traces !== null && verdictOf(traces, context, null).class === 'dropped' ? null : line;
  });
  const decoded = round.step('decode', ai, (line) =>
    observed(form.decode(line, ATTRIBUTION_ID, context.receivedAt)),
  );
  round.pipeline(decoded, context);
  return round.costs;
}

const observed = (decoded: Decoded): Observation | null =>
  isRejection(decoded) || isPassed(decoded) ? null : decoded;

function contextOf(): IngestContext {
  const organizationId = randomUUID();
  return {
    key: {
      id: randomUUID(),
      organizationId,
      attributionId: ATTRIBUTION_ID,
      prefix: 'svc_cf_',
    } as IngestContext['key'],
    owners: new Map([[ATTRIBUTION_ID, organizationId]]),
    domainsOf: () => ['shop.example'],
    lists: compileLists(embeddedLists()),
    searchEnginesOf: () => null,
    signatures: { check: (hit) => hit },
    isBot: isbot,
    toRow,
    receivedAt: Date.now(),
  };
}

/** Of ten hits six are of AI bots, two of people who come from an engine, and two are samples. */
function collectorBodies(): string[] {
  const referral = { user_agent: CHROME, referer: 'https://chatgpt.com/', verified: null, verified_by: null };
  const sample = {
    user_agent: CHROME,
    sample_rate: 0.02,
    ip: '198.51.100.7',
    verified: null,
    verified_by: null,
  };
  return Array.from({ length: HITS / PER_BODY }, (_, body) =>
    JSON.stringify(
      Array.from({ length: PER_BODY }, (__, place) =>
        workerHit({
          pathname: `/products/${body}-${place}`,
          ray_id: (body * PER_BODY + place).toString(16).padStart(16, '0'),
          ...(place % 10 < 6 ? {} : place % 10 < 8 ? referral : sample),
        }),
      ),
    ),
  );
}

function logpushBlocks(): Buffer[] {
  const blocks: Buffer[] = [];
  let block = '';
  for (const line of logpushLines(LINES, Date.now() - LINES)) {
    block += `${line}\n`;
    if (block.length < BLOCK_BYTES) continue;
    blocks.push(Buffer.from(block));
    block = '';
  }
  return block === '' ? blocks : [...blocks, Buffer.from(block)];
}

/** The mean of each step over the rounds, of which the first warms up: the clock ticks too rarely for the short steps of one. */
async function measured(run: () => readonly Cost[]): Promise<readonly Cost[]> {
  const rounds: (readonly Cost[])[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    rounds.push(run());
    await new Promise(setImmediate);
  }
  const [first = [], ...others] = rounds;
  return first.map(({ step, hits }, place) => ({
    step,
    hits,
    micros: others.reduce((sum, costs) => sum + (costs[place]?.micros ?? Number.NaN), 0) / ROUNDS,
  }));
}

/** @param sent how many elements the bodies have */
function tableOf(source: string, sent: number, costs: readonly Cost[]): string {
  const sum = costs.reduce((total, { micros }) => total + micros, 0);
  const row = (step: string, hits: number, micros: number) =>
    `| ${step} | ${((hits / sent) * 100).toFixed(1)}% | ${(micros / hits).toFixed(2)} | ${(micros / sent).toFixed(3)} | ${((micros / sum) * 100).toFixed(0)}% |`;
  return [
    `\n${source}, ${sent.toLocaleString('en-US')} hits\n`,
    '| step | reached by | µs each | µs a hit sent | share |',
    '|---|---|---|---|---|',
    ...costs.map(({ step, hits, micros }) => row(step, hits, micros)),
    row('all', sent, sum),
  ].join('\n');
}
