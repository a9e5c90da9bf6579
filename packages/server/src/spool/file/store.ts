/** Everything that can be asked of the spool's file, by name: the worker runs these, the main thread calls them. */

import {
  type CommitMessage,
  type GroupMessage,
  REMEMBER_MS,
  type RecordedUpload,
  type StageMessage,
  type TakenMessage,
} from '../port.ts';
import type { SpoolFile } from './file.ts';
import { abort, append, commit, stage, takenElsewhere } from './intake.ts';
import { finishBatch, leaveOut, retryBatch, splitBatch, takeBatch } from './outgoing.ts';
import { quarantined, removeQuarantine } from './quarantine.ts';
import { probe, scrub, tidy } from './upkeep.ts';

export type StoreCalls = ReturnType<typeof storeCalls>;

export function storeCalls(file: SpoolFile) {
  return {
    append: (group: GroupMessage) => append(file, group),
    stage: (message: StageMessage) => stage(file, message),
    commit: (message: CommitMessage) => commit(file, message),
    takenElsewhere: (message: TakenMessage) => takenElsewhere(file, message),
    abort: (upload: number) => abort(file, upload),
    takeBatch: (parked: readonly string[], mostBytes?: number) => takeBatch(file, parked, mostBytes),
    retryBatch: (id: string) => retryBatch(file, id),
    finishBatch: (id: string, found?: number) => finishBatch(file, id, found),
    leaveOut: (id: string, lines: readonly number[]) => leaveOut(file, id, lines),
    splitBatch: (id: string, reason: string, at: number) => splitBatch(file, id, reason, at),
    quarantined: (limit: number) => quarantined(file, limit),
    removeQuarantine: (ids: readonly string[]) => removeQuarantine(file, ids),
    recordedUploads: (now: number) =>
      file
        .statement('SELECT scope, hex, at FROM uploads WHERE at > ? ORDER BY at')
        .all(now - REMEMBER_MS) as unknown as RecordedUpload[],
    tidy: (now: number, memoryMs: number) => tidy(file, now, memoryMs),
    probe: () => probe(file),
    checkpoint: () => file.checkpoint(),
    scrub: (texts: readonly string[]) => scrub(file, texts),
    pin: () => file.pin(),
    unpin: () => file.unpin(),
  };
}
