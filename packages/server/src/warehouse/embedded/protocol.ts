/** What supervisor and child say to each other over the IPC channel. The token travels here: argv and environment are readable by others. */

export interface OpenMessage {
  readonly type: 'open';
  /** Absolute; made when missing. */
  readonly directory: string;
  /** The password every HTTP request must carry. */
  readonly token: string;
  /** Upper bound of the engine's memory, bytes. */
  readonly memoryBytes: number;
  /** Where `BACKUP … TO File(…)` may write; null: nowhere. */
  readonly backupsDirectory: string | null;
}

export interface CloseMessage {
  readonly type: 'close';
}

export type FailureKind = 'in_use' | 'unsupported_platform' | 'other';

export type ChildMessage =
  | { readonly type: 'ready'; readonly port: number; readonly version: string }
  | { readonly type: 'failed'; readonly kind: FailureKind; readonly message: string };

export type ParentMessage = OpenMessage | CloseMessage;

/** Request header that names the lane; a ClickHouse server ignores it. */
export const LANE_HEADER = 'x-ghostlight-lane';

export const LANES = ['write', 'live', 'report'] as const;
/** Who waits behind whom: each lane has its own engine connections and its own bounded queue. */
export type LaneName = (typeof LANES)[number];
