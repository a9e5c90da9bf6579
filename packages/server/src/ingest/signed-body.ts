/**
 * A request that is signed instead of sent with a key. The property that its address names says which keys may have signed it; the body is read as it is, and
 * nothing of it is looked at before a signature holds.
 */
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../common/index.ts';
import type { LinesSource } from '../sources/index.ts';
import { collectBody } from './body/body.ts';
import type { IngestDeps, IngestKey, IngestLimits } from './ports.ts';
import { headerOf, sourceRequest } from './source-request.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export interface SignedBody {
  readonly key: IngestKey;
  /** As received. */
  readonly body: Buffer;
  /** Whether the key is still good. */
  isGood(): Promise<boolean>;
}

/**
 * @returns null where no key is proven
 * @throws ServiceError `body_too_large`, `request_timeout`, `unavailable`; SenderGone; when the database can't be asked
 */
export type ReadSigned = (request: IncomingMessage, query: string) => Promise<SignedBody | null>;

/** Null: requests to this source need a key. */
export function createSignedBodies<P>(
  deps: IngestDeps<P>,
  source: LinesSource,
  limits: IngestLimits,
): ReadSigned | null {
  const { signsWith } = source;
  if (signsWith === undefined) return null;
  const { header, setting } = signsWith;
  let inFlight = 0;

  const read = async (request: IncomingMessage): Promise<Buffer> => {
    if (inFlight > limits.signedBytesInFlight)
      throw new ServiceError('unavailable', 'Nothing was stored. Send the same request again later.', {
        headers: { 'Retry-After': '5' },
      });
    let held = 0;
    try {
      return await collectBody(
        request,
        { bytes: limits.signedBodyBytes, idleMs: limits.bodyIdleMs, totalMs: limits.bodyTotalMs },
        (bytes) => {
          held += bytes;
          inFlight += bytes;
        },
      );
    } finally {
      inFlight -= held;
    }
  };

  return async (request, query) => {
    if (request.method !== 'POST' || headerOf(request, header) === undefined) return null;
    const of = sourceRequest(request, query, deps.clock());
    const property = source.addressed(of);
    if (property === null || !UUID.test(property)) return null;
    const signers = () => deps.keys.signers(source.about.name, property, setting);
    const candidates = await signers();
    if (candidates.length === 0) return null;
    const body = await read(request);
    // Each is tried, whichever holds: how long it takes says nothing of which did.
    const proven = candidates.filter((key) => {
      const proof = source.proof?.(sourceRequest(request, query, of.now, key.settings)) ?? null;
      proof?.update(body);
      return proof?.isGood() === true;
    });
    const [key] = proven;
    if (key === undefined) return null;
    deps.keys.noteUse(key.id);
    return { key, body, isGood: async () => (await signers()).some(({ id }) => id === key.id) };
  };
}
