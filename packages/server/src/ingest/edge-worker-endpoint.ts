/** `POST /v1/logs/edge_worker`: admit → collect → inflate → decode → pipeline → spool → answer. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ServiceError } from '../shared/index.ts';
import type { SpoolRow } from '../spool/index.ts';
import { admit, type CheckAgain } from './admission.ts';
import * as answer from './answer.ts';
import { collectBody, inflate, SenderGone, tooLarge } from './body.ts';
import { type Decoded, decodeElement, isRejection, parseElements } from './edge-worker.ts';
import { announcedEncoding } from './encodings.ts';
import { ownersOf, searchEnginesOf } from './owners.ts';
import { process } from './pipeline.ts';
import type { IngestDeps, IngestKey, IngestLimits, RawHandler } from './ports.ts';
import { noteOutcome } from './signals.ts';
import { Tally } from './tally.ts';

const ENDPOINT = 'edge_worker';

export function createEdgeWorkerEndpoint<P>(deps: IngestDeps<P>, limits: IngestLimits): RawHandler {
  let inFlight = 0;

  async function handle(
    request: IncomingMessage,
    response: ServerResponse,
    key: IngestKey,
    again: CheckAgain,
  ): Promise<void> {
    let held = 0;
    const meter = (bytes: number): void => {
      held += bytes;
      inFlight += bytes;
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
      await take(response, key, parseElements(plain.toString()));
    } finally {
      inFlight -= held;
    }
  }

  async function take(response: ServerResponse, key: IngestKey, elements: readonly unknown[]): Promise<void> {
    if (elements.length === 0) return answer.noContent(response);
    const now = deps.clock();
    const decoded = elements.map((element) => decodeElement(element, now));
    const circumstances = {
      key,
      owners: await ownersOf(deps.properties, idsOf(decoded, key)),
      domainsOf: deps.properties.domainsOf,
      lists: deps.lists.current(),
      searchEnginesOf: searchEnginesOf(deps),
      isBot: deps.isBot,
      toRow: deps.toRow,
      receivedAt: now,
    };
    const tally = new Tally({ endpoint: ENDPOINT, organizationId: key.organizationId, at: now });
    const rows: SpoolRow[] = [];
    for (const [index, item] of decoded.entries()) {
      const received = (): string => textOf(elements[index]);
      if (isRejection(item)) {
        tally.reject(item, null, received);
        continue;
      }
      const outcome = process(item, circumstances);
      const row = tally.count(outcome, ownId(item.hit.attributionId, key, circumstances.owners), received);
      if (row !== null) rows.push(row);
      else if (outcome.kind === 'dropped') tally.droppedSample ??= item.hit.userAgent;
    }
    const receipt = await deps.spool.append({ ...tally.entry(), rows });
    noteOutcome(deps.signals, ENDPOINT, key, onlyOwn(circumstances.owners, key), tally);
    if (tally.rejected === 0) return answer.noContent(response);
    const report = tally.report(receipt);
    if (tally.rejected === tally.received) return answer.allRejected(response, report);
    answer.report(response, report);
  }

  return (request, response) =>
    admit(deps, ENDPOINT, request, response, undefined, (key, again) => {
      if (Number(request.headers['content-length'] ?? 0) > limits.workerBodyBytes) {
        return answer.problem(request, response, tooLarge(limits.workerBodyBytes));
      }
      if (inFlight > limits.workerBytesInFlight) return answer.unavailable(request, response);
      handle(request, response, key, again).catch((error: unknown) => {
        if (error instanceof SenderGone) return;
        if (error instanceof ServiceError) return answer.problem(request, response, error);
        deps.log.error({ err: error, endpoint: ENDPOINT, key: key.prefix }, 'hits could not be stored');
        answer.unavailable(request, response);
      });
    });
}

function idsOf(decoded: readonly Decoded[], key: IngestKey): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const item of decoded) {
    if (isRejection(item)) continue;
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
