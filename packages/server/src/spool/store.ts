/** Everything that can be asked of the spool's file, by name: the worker runs these, the main thread calls them. */
import { REMEMBER_MS, type SpoolFile } from './file.ts';
import { abort, append, commit, stage, takenElsewhere } from './intake.ts';
import type { CommitMessage, GroupMessage, StageMessage, TakenMessage } from './messages.ts';
import { finishBatch, readBatch, retryBatch, splitBatch, takeBatch, unfinished } from './outgoing.ts';
import { QUARANTINE_KEEP_MS, quarantined, removeQuarantine } from './quarantine.ts';

/** Expired keys removed per transaction, so that tidying never stalls an append. */
const EXPIRE_KEYS = 20_000;

export type RecordedUpload = { readonly scope: string; readonly hex: string; readonly at: number };
export type StoreCalls = ReturnType<typeof storeCalls>;

export function storeCalls(file: SpoolFile) {
  return {
    append: (group: GroupMessage) => append(file, group),
    stage: (message: StageMessage) => stage(file, message),
    commit: (message: CommitMessage) => commit(file, message),
    takenElsewhere: (message: TakenMessage) => takenElsewhere(file, message),
    abort: (upload: number) => abort(file, upload),
    takeBatch: () => takeBatch(file),
    readBatch: (id: string) => readBatch(file, id),
    retryBatch: (id: string) => retryBatch(file, id),
    finishBatch: (id: string) => finishBatch(file, id),
    splitBatch: (id: string, reason: string, at: number) => splitBatch(file, id, reason, at),
    unfinished: () => unfinished(file),
    quarantined: (limit: number) => quarantined(file, limit),
    removeQuarantine: (ids: readonly string[]) => removeQuarantine(file, ids),
    recordedUploads: () =>
      file.statement('SELECT scope, hex, at FROM uploads').all() as unknown as RecordedUpload[],
    /** Forgets what is older than its time, a bounded piece. @returns whether there may be more */
    tidy: (now: number): boolean =>
      file.freeingTransaction(() => {
        const { changes } = file
          .statement(
            `DELETE FROM seen WHERE key IN (SELECT key FROM seen WHERE at <= ? LIMIT ${EXPIRE_KEYS})`,
          )
          .run(now - REMEMBER_MS);
        file.statement('DELETE FROM uploads WHERE at <= ?').run(now - REMEMBER_MS);
        file.statement('DELETE FROM quarantine WHERE at <= ?').run(now - QUARANTINE_KEEP_MS);
        return Number(changes) === EXPIRE_KEYS;
      }),
    /** A durable write of nothing, to learn whether the disk works again. */
    probe: (): void => file.transaction(() => file.count([['stored', 0]])),
    checkpoint: (): void => file.checkpoint(),
  };
}
