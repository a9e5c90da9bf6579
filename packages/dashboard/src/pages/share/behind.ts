/** Which stored visits a slice of the traffic counts, as the explorer of visits lists them. */
import type { ReportAnswer } from '../../features/reports/api.ts';
import type { VisitChange } from '../../features/visits/search.ts';

export const SLICES = ['ai_bots', 'ai_referrals', 'other_bots', 'people'] as const;
export type SliceName = (typeof SLICES)[number];

type Share = ReportAnswer<'ai-share'>['pages'];
type Counted = Pick<Share, 'denominator' | 'sources' | 'samples' | 'spoofed'> & {
  readonly other_bots: Pick<Share['other_bots'], 'hits' | 'exact'>;
};

/** A figure, or a part of it, and the filters of its visits. */
export interface Behind {
  readonly narrow: VisitChange;
  /** For readers who hear the figure alone. */
  readonly of: string;
}

const NARROWED: Readonly<Record<SliceName, Behind>> = {
  ai_bots: { narrow: {}, of: 'of AI bots' },
  ai_referrals: { narrow: { class: 'ai_referral' }, of: 'that AI engines sent' },
  other_bots: { narrow: { class: 'sample', other_bot: 'true' }, of: 'that are samples of other bots' },
  people: { narrow: { class: 'sample', other_bot: 'false' }, of: 'that are samples of likely people' },
};
const SPOOFED: Behind = { narrow: { verdict: 'spoofed' }, of: 'that are spoofed' };

const isOther = (name: SliceName): boolean => name === 'other_bots' || name === 'people';

/**
 * The visits that a slice is made of; null: no filter selects just these. Numbers of logs are no visits, and of some sources only a part may
 * be counted.
 */
export function behindSlice(name: SliceName, share: Counted, of: 'pages' | 'requests'): Behind | null {
  if (isOther(name) && (share.denominator !== 'estimated' || share.samples === 0)) return null;
  if (name === 'other_bots' && share.other_bots.exact > 0) return null;
  return ofSources(NARROWED[name], share, of);
}

/** Samples and spoofed AI bots, which are other bots together: each with its own visits. null: the slice is one of visits, or of more than these. */
export function partsOfOtherBots(
  share: Counted,
  of: 'pages' | 'requests',
): readonly (Behind & { readonly hits: number })[] | null {
  const { hits, exact } = share.other_bots;
  const isBoth = exact > 0 && exact === share.spoofed && share.samples > 0;
  if (!isBoth || share.denominator !== 'estimated') return null;
  const [samples, spoofed] = [NARROWED.other_bots, SPOOFED].map((one) => ofSources(one, share, of));
  if (samples == null || spoofed == null) return null;
  return [
    { ...samples, hits: hits - exact },
    { ...spoofed, hits: exact },
  ];
}

function ofSources(behind: Behind, { sources }: Counted, of: 'pages' | 'requests'): Behind | null {
  if (sources === null || sources.length === 0) return null;
  const narrow = {
    ...behind.narrow,
    ...(of === 'pages' ? { kind: 'page' } : {}),
    source: sources.join(','),
  };
  return { ...behind, narrow };
}
