import type { ReactNode } from 'react';
import type { Property } from '../../api/types.ts';
import { ChartFiles } from '../../features/charts/ChartFiles.tsx';
import { Swatch } from '../../features/charts/Legend.tsx';
import { SplitBar } from '../../features/charts/SplitBar.tsx';
import { signed } from '../../features/charts/steps.ts';
import type { ReportAnswer } from '../../features/reports/api.ts';
import { countText, shareText } from '../../features/reports/figures.ts';
import { ShareDelta } from '../../features/reports/ShareDelta.tsx';
import { VisitsLink } from '../../features/visits/VisitsLink.tsx';
import {
  behindSlice,
  partsOfOtherBots,
  SLICES,
  type Behind as SliceBehind,
  type SliceName,
} from './behind.ts';

export type ShareAnswer = ReportAnswer<'ai-share'>;
export type Share = ShareAnswer['pages'];
export type DayShare = ShareAnswer['series'][number]['pages'];

/** The AI bots that filters select, where there are others. */
const SELECTED = { name: 'These AI bots', about: 'selected by the filters', paint: 'ai_bot' };
/** The AI bots that filters exclude: part of the whole, but of no slice of the service. */
const EXCLUDED = { name: 'Other AI bots', about: 'excluded by the filters', paint: 'rest' };
/** Below this a remainder is a rounding error. */
const LEAST_REST = 0.0005;

const WORDS: Readonly<Record<SliceName, { name: string; about: string; paint: string }>> = {
  ai_bots: { name: 'AI bots', about: 'crawlers, search and assistants', paint: 'ai_bot' },
  ai_referrals: { name: 'AI referrals', about: 'people sent by an AI engine', paint: 'ai_referral' },
  other_bots: { name: 'Other bots', about: 'search engines, monitors, scripts', paint: 'other_bot' },
  people: { name: 'Likely people', about: 'not identified as a bot', paint: 'people' },
};

interface SliceListProps {
  property: Property;
  answer: Pick<ShareAnswer, 'period'>;
  share: Share;
  of: 'pages' | 'requests';
}

/** The traffic in slices, each with its confidence interval on hover. */
export function SliceList({ property, answer, share, of }: SliceListProps) {
  const what = of === 'pages' ? 'page views' : 'requests';
  const excluded = excludedOf(share);
  const wordsOf = (name: SliceName) => (name === 'ai_bots' && excluded !== null ? SELECTED : WORDS[name]);
  return (
    <section className="card panel" aria-label={`Share of ${of}`}>
      <header className="panel-head">
        <div>
          <h2 className="share-lead">
            {share.state === 'ok' ? (
              <>
                <span className="share-figure number">
                  <SliceFigure name="ai_bots" share={share} of={of}>
                    {shareText(share.ai_bots.share ?? 0)}
                  </SliceFigure>
                </span>{' '}
                of <Total total={share.total} isCounted={share.denominator === 'counted'} /> {what} come from{' '}
                {excluded === null ? '' : 'these '}AI bots
              </>
            ) : (
              'Counted so far'
            )}
            {share.denominator === 'counted' && <span className="tag tag-kind">counted</span>}
          </h2>
          {share.state === 'ok' && (
            <p className="quiet number slice-total">
              <Margin share={share} />
            </p>
          )}
        </div>
        <ChartFiles title={`Share of ${of}`} table={() => tableOf(share)} />
      </header>
      {share.state === 'ok' && (
        <SplitBar
          wide
          width={1_000}
          height={14}
          of={1}
          parts={[
            ...SLICES.map((name) => ({
              key: name as string,
              paint: WORDS[name].paint,
              value: share[name].share ?? 0,
            })),
            ...(excluded === null ? [] : [{ key: 'excluded', paint: EXCLUDED.paint, value: excluded.share }]),
          ]}
        />
      )}
      <ul className="rank-list split-list slice-list">
        {SLICES.map((name) => {
          const { hits, exact, share: part } = share[name];
          const words = wordsOf(name);
          return (
            <li key={name}>
              <div>
                <span className="slice-name">
                  <Swatch paint={words.paint} /> {words.name}
                </span>
                <span className="cell-detail">{words.about}</span>
              </div>
              <span className="rank-figure number">
                {part === null ? '–' : <span title={sureText(share, name)}>{shareText(part)}</span>}
              </span>{' '}
              <span className="slice-change">
                <ShareDelta property={property} answer={answer} of={of} part={name} share={part} />
              </span>{' '}
              <span className="slice-count quiet number">
                {part === null && exact === 0 ? (
                  '–'
                ) : (
                  <SliceFigure name={name} share={share} of={of}>
                    {hits - exact > 0.5 ? estimateText(hits) : countText(hits)}
                  </SliceFigure>
                )}{' '}
                {(part !== null || exact > 0) && what}
              </span>
            </li>
          );
        })}
        {excluded !== null && (
          <li>
            <div>
              <Swatch paint={EXCLUDED.paint} /> {EXCLUDED.name}
              <span className="cell-detail">{EXCLUDED.about}</span>
            </div>
            <span className="rank-figure number">{shareText(excluded.share)}</span>
            <span className="slice-count quiet number">
              {countText(excluded.hits)} {what}
            </span>
          </li>
        )}
      </ul>
    </section>
  );
}

const ESTIMATE = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
const MARGIN = new Intl.NumberFormat('en', { maximumSignificantDigits: 1 });

/** `≈ 40,500`: more digits would say more than samples do. */
const estimateText = (hits: number): string => signed(ESTIMATE.format(hits), 1);

/** `95% confidence: 7.5% to 7.9%`, on hover; undefined: it is counted, or not known. */
function sureText(share: Share, name: SliceName): string | undefined {
  const { low, high } = share[name];
  return low === null || high === null || share.denominator === 'counted'
    ? undefined
    : `95% confidence: ${shareText(low)} to ${shareText(high)}`;
}

/** How sure the large figure is. */
function Margin({ share }: { share: Share }) {
  const { low, high } = share.ai_bots;
  const sure = sureText(share, 'ai_bots');
  if (sure === undefined || low === null || high === null) return null;
  return (
    <span title={sure}>
      Margin of error: ±&nbsp;{MARGIN.format(((high - low) / 2) * 100)} points (95% confidence)
    </span>
  );
}

interface TotalProps {
  total: Share['total'];
  isCounted: boolean;
}

/** What the share is of, with no more digits than are known. */
function Total({ total: { hits, low, high }, isCounted }: TotalProps) {
  if (hits === null || isCounted || low === null || high === null)
    return hits === null ? null : countText(hits);
  const margin = (high - low) / 2;
  const step = margin < 1 ? 1 : 10 ** Math.floor(Math.log10(margin));
  return (
    <span title={`95% confidence: ${countText(low)} to ${countText(high)}`}>
      {countText(Math.round(hits / step) * step, 1)}
    </span>
  );
}

interface SliceFigureProps {
  name: SliceName;
  share: Share;
  of: 'pages' | 'requests';
  children: ReactNode;
}

/** Opens the stored visits, where a filter selects just those that are counted; otherwise it says why it opens none. */
function SliceFigure({ name, share, of, children }: SliceFigureProps) {
  const behind = behindSlice(name, share, of);
  if (behind === null) return <span title={whyNone(name, share)}>{children}</span>;
  return <Behind of={behind}>{children}</Behind>;
}

function Behind({ of: { narrow, of }, children }: { of: SliceBehind; children: ReactNode }) {
  return (
    <VisitsLink narrow={narrow} of={of}>
      {children}
    </VisitsLink>
  );
}

/** Why a figure opens no visits; undefined: its parts do. */
function whyNone(name: SliceName, share: Share): string | undefined {
  if (name === 'other_bots' && share.sources !== null && share.denominator === 'estimated') return undefined;
  return share.denominator === 'counted' && (name === 'people' || name === 'other_bots')
    ? 'Counted from logs; single visits are not stored.'
    : 'Visits lists more than is counted here.';
}

/** What other bots are, where two lists of visits make the figure. */
export function OtherBotParts({ share, of }: Pick<SliceFigureProps, 'share' | 'of'>) {
  const [samples, spoofed] = partsOfOtherBots(share, of) ?? [];
  if (samples === undefined || spoofed === undefined) return null;
  return (
    <>
      Other bots are <Behind of={samples}>{estimateText(samples.hits)} from samples</Behind> and{' '}
      <Behind of={spoofed}>{countText(spoofed.hits)} spoofed AI bots</Behind>.{' '}
    </>
  );
}

function tableOf(share: Share) {
  return {
    head: ['Slice', 'Share', 'Low', 'High', 'Visits', 'Of them stored or counted'],
    rows: SLICES.map((name) => {
      const { hits, exact, share: part, low, high } = share[name];
      return [WORDS[name].name, part ?? '', low ?? '', high ?? '', hits, exact];
    }),
  };
}

/** What the slices leave of the whole; null: nothing, or the whole is unknown. */
function excludedOf(share: Share): { readonly share: number; readonly hits: number } | null {
  if (share.state !== 'ok' || share.total.hits === null) return null;
  const rest = 1 - SLICES.reduce((sum, name) => sum + (share[name].share ?? 0), 0);
  const hits = share.total.hits - SLICES.reduce((sum, name) => sum + share[name].hits, 0);
  return rest < LEAST_REST || hits < 0.5 ? null : { share: rest, hits: Math.round(hits) };
}
