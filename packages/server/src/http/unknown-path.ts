/** A sender at the wrong path gets 404; its owner, where the key names one, finds it in the setup checker. */
import { type IngestKeys, presentedKey } from '../keys/index.ts';
import { type SetupSignals, unknownPathSignal } from '../setup/index.ts';

/** Never throws: it runs beside an answer that is already decided. */
export async function noteUnknownPath(
  request: Request,
  keys: IngestKeys,
  signals: SetupSignals,
): Promise<void> {
  const signal = unknownPathSignal(request.method, new URL(request.url).pathname);
  if (signal === null) return;
  const presented = presentedKey({ header: request.headers.get('x-api-key') ?? undefined, query: undefined });
  const verdict = keys.peek(presented) ?? (await keys.verify(presented).catch(() => null));
  const organizationId =
    verdict === null ? null : verdict.ok ? verdict.key.organizationId : verdict.organizationId;
  signals.note({ ...signal, organizationId });
}
