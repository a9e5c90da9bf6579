/** The row of Recent Activity for a request that was refused. */
import { isTopic } from '@ghostlight/core';
import { ERRORS, type ErrorCode } from '../common/index.ts';
import type { NewActivity } from './activity.ts';
import type { Masked } from './masking.ts';
import type { Warning } from './refunds.ts';

export function rejection(
  at: number,
  { topic }: { readonly topic: string },
  status: NewActivity['status'],
  code: ErrorCode,
  error: string,
  errors: readonly Warning[] = [],
  received: Masked | null = null,
): Omit<NewActivity, 'key_prefix' | 'shop' | 'delivery'> {
  return {
    at,
    status,
    http_status: ERRORS[code].status,
    // An unknown topic is untrusted text.
    topic: isTopic(topic) ? topic : 'unknown',
    session_matched: 0,
    match_reason: null,
    conversion_row: null,
    conversion_id: null,
    error,
    received: received?.json ?? null,
    judgement: JSON.stringify({ duplicate: false, warnings: [], errors, cut: received?.cut ?? false }),
  };
}
