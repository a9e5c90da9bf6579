import { Swatch } from '../../features/charts/Legend.tsx';
import { SplitBar } from '../../features/charts/SplitBar.tsx';
import type { ReportAnswer } from '../../features/reports/api.ts';
import { countText, shareText } from '../../features/reports/figures.ts';

export type ShareAnswer = ReportAnswer<'ai-share'>;
export type Share = ShareAnswer['pages'];
export type DayShare = ShareAnswer['series'][number]['pages'];

const SLICES = [
  'ai_bots',
  'ai_referrals',
  'other_bots',
  'people',
] as const satisfies readonly (keyof Share)[];
type SliceName = (typeof SLICES)[number];

const WORDS: Readonly<Record<SliceName, { name: string; about: string; paint: string }>> = {
  ai_bots: { name: 'AI bots', about: 'crawlers, search and assistants', paint: 'ai_bot' },
  ai_referrals: { name: 'AI referrals', about: 'people sent by an AI engine', paint: 'ai_referral' },
  other_bots: { name: 'Other bots', about: 'search engines, monitors, scripts', paint: 'other_bot' },
  people: { name: 'Everybody else', about: 'nobody recognised as a program', paint: 'people' },
};

/** Who the traffic is: four slices, each with how sure its share is. */
export function SliceList({ share, of }: { share: Share; of: 'pages' | 'requests' }) {
  return (
    <section className="card panel" aria-label={`Share of ${of}`}>
      <header className="panel-head">
        <h2>
          {share.state === 'ok'
            ? `${countText(share.total.hits ?? 0, share.samples)} ${of === 'pages' ? 'page views' : 'requests'}`
            : 'Counted so far'}
        </h2>
        {share.total.low !== null && share.total.high !== null && (
          <span className="quiet number">
            95 % sure: {countText(share.total.low)} to {countText(share.total.high)}
          </span>
        )}
      </header>
      {share.state === 'ok' && (
        <p className="quiet">
          “95 % sure” is about the samples of this period, each request drawn by itself.
        </p>
      )}
      {share.state === 'ok' && (
        <SplitBar
          wide
          width={1_000}
          height={14}
          of={1}
          parts={SLICES.map((name) => ({
            key: name,
            paint: WORDS[name].paint,
            value: share[name].share ?? 0,
          }))}
        />
      )}
      <ul className="rank-list slice-list">
        {SLICES.map((name) => {
          const { hits, exact, share: part, low, high } = share[name];
          return (
            <li key={name}>
              <div>
                <Swatch paint={WORDS[name].paint} /> {WORDS[name].name}
                <span className="cell-detail">{WORDS[name].about}</span>
              </div>
              <span className="rank-figure number">{part === null ? '–' : shareText(part)}</span>
              <span className="quiet number">
                {low === null || high === null ? '' : `${shareText(low)} – ${shareText(high)}`}
              </span>
              <span className="number">
                {part === null && exact === 0 ? '–' : countText(hits, hits - exact > 0.5 ? 1 : 0)}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
