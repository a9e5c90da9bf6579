/** A body that is an array of objects: admit → collect → inflate → decode → pipeline → spool → answer. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { annotate, ServiceError } from '../../common/index.ts';
import {
  type ArraySource,
  type Decoded,
  isPassed,
  isRejection,
  type SourceRequest,
} from '../../sources/index.ts';
import type { SpoolRow } from '../../spool/index.ts';
import { type CheckAgain, createAdmission } from '../admission.ts';
import * as answer from '../answer.ts';
import { collectBody, inflate, SenderGone, tooLarge } from '../body/body.ts';
import { announcedEncoding } from '../body/encodings.ts';
import { Counters } from '../counters.ts';
import { contextOf } from '../owners.ts';
import { runPipeline } from '../pipeline.ts';
import type { IngestKey, IngestLimits, IngestParts, RawHandler } from '../ports.ts';
import { noteOutcome } from '../signals.ts';
import { sourceRequest } from '../source-request.ts';
import { parseElements } from './elements.ts';

/** @param inFlight what the bodies of all such sources hold together */
export function createArrayEndpoint<P>(
  source: ArraySource,
  deps: IngestParts<P>,
  limits: IngestLimits,
  inFlight: { bytes: number },
): RawHandler {
  const endpoint = source.about.name;
  const admit = createAdmission(deps, source);

  async function handle(
    request: IncomingMessage,
    response: ServerResponse,
    key: IngestKey,
    of: SourceRequest,
    again: CheckAgain,
  ): Promise<void> {
    let held = 0;
    const meter = (bytes: number): void => {
      held += bytes;
      inFlight.bytes += bytes;
    };
    try {
      const encoding = announcedEncoding(request);
      const body = await collectBody(
        request,
        { bytes: limits.workerBodyBytes, idleMs: limits.bodyIdleMs, totalMs: limits.bodyTotalMs },
        meter,
      );
      await again();
      const plain = await inflate(body, encoding, limits.workerBodyBytes);
      await take(response, key, of, parseElements(plain.toString()));
    } finally {
      inFlight.bytes -= held;
    }
  }

  async function take(
    response: ServerResponse,
    key: IngestKey,
    of: SourceRequest,
    elements: readonly unknown[],
  ): Promise<void> {
    if (elements.length === 0) return answer.noContent(response);
    const now = deps.clock();
    const decoded = elements.map((element) => source.decode(element, now));
    const context = await contextOf(deps, key, idsOf(decoded, key), now);
    const counters = new Counters({ endpoint, organizationId: key.organizationId, at: now });
    const rows: SpoolRow[] = [];
    for (const [index, item] of decoded.entries()) {
      const received = (): string => textOf(elements[index]);
      if (isRejection(item)) {
        counters.reject(item, null, received);
        continue;
      }
      if (isPassed(item)) {
        counters.drop(item.drop, 1);
        continue;
      }
      const outcome = runPipeline(item, context);
      const row = counters.count(outcome, ownId(item.hit.attributionId, key, context.owners), received);
      if (row !== null) rows.push(row);
      else if (outcome.kind === 'dropped') counters.sampleDropped(item.hit.userAgent);
    }
    annotate(() => counters.attributes());
    const receipt = await deps.spool.append({ ...counters.entry(), rows });
    noteOutcome(deps.signals, endpoint, key, onlyOwn(context.owners, key), counters);
    answer.settled(response, source.answer(counters.settled(receipt, counters.received), of));
  }

  return (request, response, query) =>
    admit(request, response, query, (key, again) => {
      if (Number(request.headers['content-length'] ?? 0) > limits.workerBodyBytes) {
        return answer.problem(request, response, tooLarge(limits.workerBodyBytes));
      }
      if (inFlight.bytes > limits.workerBytesInFlight) return answer.unavailable(request, response);
      handle(request, response, key, sourceRequest(request, query, deps.clock(), key.settings), again).catch(
        (error: unknown) => {
          if (error instanceof SenderGone) return;
          if (error instanceof ServiceError) return answer.problem(request, response, error);
          deps.log.error(
            { err: error, endpoint, key: key.prefix, ...answer.about(response) },
            'hits could not be stored',
          );
          answer.unavailable(request, response);
        },
      );
    });
}

function idsOf(decoded: readonly Decoded[], key: IngestKey): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const item of decoded) {
    if (isRejection(item) || isPassed(item)) continue;
    const id = item.hit.attributionId ?? key.attributionId;
    if (id !== null) ids.add(id);
  }
  return ids;
}

/** The property for the setup checker: only one that is the organization's. */
function ownId(id: string | null, key: IngestKey, owners: ReadonlyMap<string, string | null>): string | null {
  const named = id ?? key.attributionId;
  return named !== null && owners.get(named) === key.organizationId ? named : null;
}

/** The property that the whole request is about, when it is one. */
function onlyOwn(owners: ReadonlyMap<string, string | null>, key: IngestKey): string | null {
  let only: string | null = null;
  for (const [id, owner] of owners) {
    if (owner !== key.organizationId) continue;
    if (only !== null) return null;
    only = id;
  }
  return only;
}

/** The element as text. `JSON.stringify` fails on values nested ten thousand deep, which `JSON.parse` takes. */
function textOf(element: unknown): string {
  try {
    return JSON.stringify(element) ?? '';
  } catch {
    return '[nested too deeply to show]';
  }
}
