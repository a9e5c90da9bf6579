/** Puts what was sent and answered beside each delivery, as people may see it. */
import { setImmediate as breathe } from 'node:timers/promises';
import type { Auth, HttpRequest } from '../../destinations/index.ts';
import { knownSecrets } from '../encrypted-urls.ts';
import { createMasker, type Known, type Masker, type ShownRequest } from '../masking.ts';
import type { BoundDestination } from './ports.ts';
import type { Exchange, Outcome, Ready } from './records.ts';

/** Of a batch: how many events' values are looked for in the answer, beyond what looks like personal data anyway. */
const MAX_KNOWN = 100;
/** Requests are built again for each event: so many at a time, then others have a turn. */
const SLICE = 50;

/** @param outcomes one for each of the batch, in order */
export async function presented(
  destination: BoundDestination,
  batch: readonly Ready[],
  { request, response }: Pick<Exchange, 'request' | 'response'>,
  auth: Auth,
  outcomes: readonly Outcome[],
): Promise<Outcome[]> {
  const base = knownOfAuth(destination, auth);
  const answer =
    response === null ? null : JSON.stringify(answerMasker(destination, batch, auth).response(response));
  const shown: Outcome[] = [];
  for (const [n, outcome] of outcomes.entries()) {
    if (n % SLICE === SLICE - 1) await breathe();
    const ready = batch[n];
    // Halves are shown when they have left by themselves.
    const alone =
      ready === undefined || outcome.split !== null
        ? null
        : requestOf(destination, batch, ready, request, auth);
    const masked: ShownRequest | null =
      alone === null || ready === undefined ? null : createMasker({ ...base, ...ready.known }).request(alone);
    shown.push({ ...outcome, request: masked === null ? null : JSON.stringify(masked), response: answer });
  }
  return shown;
}

/** For what a platform says: it may echo anything of the request. */
export function answerMasker(destination: BoundDestination, batch: readonly Ready[], auth: Auth): Masker {
  const some = batch.slice(0, MAX_KNOWN).map(({ known }) => known);
  return createMasker({
    ...knownOfAuth(destination, auth),
    personal: some.flatMap(({ personal = [] }) => personal),
    traces: some.flatMap(({ traces = [] }) => traces),
  });
}

export function knownOfAuth(destination: BoundDestination, auth: Auth): Known {
  return { ...knownSecrets(auth.credentials, auth.accessToken), plainFields: destination.plainFields };
}

/** The request as it would have been for this event alone. */
function requestOf(
  destination: BoundDestination,
  batch: readonly Ready[],
  { event }: Ready,
  request: HttpRequest | null,
  auth: Auth,
): HttpRequest | null {
  if (batch.length === 1 || request === null) return request;
  try {
    return destination.build([event], auth);
  } catch {
    // It could be built among the others; what is shown is not worth more than a blank.
    return null;
  }
}
