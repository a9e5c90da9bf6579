/**
 * A request that is signed instead of sent with a key. The property that its address names says which keys may have signed it; the body is read as it is, and
 * nothing of it is looked at before a signature holds.
 */
import type { IncomingMessage } from 'node:http';
import type { ByteBudget } from '../common/index.ts';
import type { BodyProof, LinesSource } from '../sources/index.ts';
import { collectPieces, wholeOf } from './body/body.ts';
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
 * The proofs of all candidates are made while the body arrives, and its bytes count with each piece of it.
 * @returns null where no key is proven
 * @throws ServiceError `body_too_large`, `request_timeout`, `unavailable`; SenderGone; when the database can't be asked
 */
export type ReadSigned = (request: IncomingMessage, query: string) => Promise<SignedBody | null>;

/** Null: requests to this source need a key. */
export function createSignedBodies<P>(
  deps: IngestDeps<P>,
  source: LinesSource,
  limits: IngestLimits,
  budget: ByteBudget,
): ReadSigned | null {
  const { signsWith } = source;
  if (signsWith === undefined) return null;
  const { header, setting } = signsWith;

  /** Null: no key of these has signed it. */
  const provenBy = async (
    request: IncomingMessage,
    property: string,
    tried: readonly { readonly key: IngestKey; readonly proof: BodyProof | null }[],
  ): Promise<{ readonly key: IngestKey; readonly body: Buffer } | null> => {
    const held = budget.open(property, deps.addressOf(request));
    try {
      const pieces = await collectPieces(
        request,
        { bytes: limits.signedBodyBytes, idleMs: limits.bodyIdleMs, totalMs: limits.bodyTotalMs },
        // As it arrives: the hash of a long body in one go would keep all others waiting.
        (piece) => {
          held.take(piece.length);
          for (const { proof } of tried) proof?.update(piece);
        },
      );
      // Each is tried, whichever holds: how long it takes says nothing of which did.
      const [proven] = tried.filter(({ proof }) => proof?.isGood() === true);
      return proven === undefined ? null : { key: proven.key, body: wholeOf(pieces) };
    } finally {
      held.release();
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
    const tried = candidates.map((key) => ({
      key,
      proof: source.proof?.(sourceRequest(request, query, of.now, key.settings)) ?? null,
    }));
    const proven = await provenBy(request, property, tried);
    if (proven === null) return null;
    const { key, body } = proven;
    deps.keys.noteUse(key.id, () => deps.addressOf(request));
    return { key, body, isGood: async () => (await signers()).some(({ id }) => id === key.id) };
  };
}
