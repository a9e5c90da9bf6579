/** What a conversion may be used for: by the sender's word, else the visitor's, else what the property makes of silence. */
import { isConsentRegion } from '@ghostlight/core';
import type { ConsentFacts, ConsentState } from '../destinations/index.ts';
import type { ConsentDefault } from '../webhooks/index.ts';

/** Absent members are null: not said, which is neither yes nor no. */
export interface Said {
  readonly advertising: boolean | null;
  readonly analytics: boolean | null;
  readonly saleOfData: boolean | null;
}

export const NOTHING_SAID: Said = { advertising: null, analytics: null, saleOfData: null };

/**
 * Member by member: a shop that passes on one answer has not taken back the others.
 *
 * @param words the one that counts most first
 * @param country ISO alpha-2 or `EU`; null: nowhere in particular
 */
export function consentFacts(
  words: readonly Said[],
  silence: ConsentDefault,
  country: string | null,
): ConsentFacts {
  const said = (member: keyof Said): boolean | null =>
    words.find((word) => word[member] !== null)?.[member] ?? null;
  const state = (member: 'advertising' | 'analytics'): ConsentState => {
    const answer = said(member);
    if (answer !== null) return answer ? 'granted' : 'denied';
    if (silence !== 'by_region') return silence;
    return country !== null && isConsentRegion(country) ? 'denied' : 'unknown';
  };
  return {
    advertising: state('advertising'),
    analytics: state('analytics'),
    saleOfData: said('saleOfData'),
  };
}
