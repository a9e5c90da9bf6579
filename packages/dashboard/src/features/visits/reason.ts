/** Why a verdict is what it is. Apart from the other names, so that the first view does not carry the sentences. */
import { VERDICT_REASONS } from '@ghostlight/core';

/** A sentence; empty for none. A reason that this dashboard does not know yet is shown as it came. */
export function reasonSentence(reason: string): string {
  return reason === '' ? '' : ((VERDICT_REASONS as Readonly<Record<string, string>>)[reason] ?? reason);
}
