import { ChartFiles } from '../../charts/ChartFiles.tsx';
import { Swatch } from '../../charts/Legend.tsx';
import { SplitBar } from '../../charts/SplitBar.tsx';
import { useShared } from '../../session/shared.ts';
import { VisitsLink } from '../../visits/VisitsLink.tsx';
import { VERDICTS, type Verdict } from '../../visits/verdict.ts';
import type { OverviewAnswer } from '../api.ts';
import { countText, shareText } from '../figures.ts';
import { ReportLink } from '../ReportLink.tsx';

const WORDS: Readonly<
  Record<Verdict, { sign: string; word: string; why: string; filter: 'true' | 'false' | 'unknown' }>
> = {
  verified: { sign: '✓', word: 'Verified', why: 'identity confirmed', filter: 'true' },
  spoofed: { sign: '✕', word: 'Spoofed', why: 'impersonators', filter: 'false' },
  unknown: {
    sign: '?',
    word: 'Unknown',
    why: 'could not be verified',
    filter: 'unknown',
  },
};

/** Visits by verification. */
export function TrustPanel({ answer: { trust } }: { answer: OverviewAnswer }) {
  const shared = useShared() !== null;
  const all = VERDICTS.reduce((sum, verdict) => sum + trust[verdict], 0);
  return (
    <section className="card panel panel-across" aria-label="Verification">
      <header className="panel-head">
        <h2>Verification</h2>
        <span className="panel-tools">
          {!shared && (
            <ReportLink to="trust" className="quiet-link">
              Trust
            </ReportLink>
          )}
          <ChartFiles
            title="Verification"
            table={() => ({
              head: ['Verdict', 'Visits', 'Visits, estimated'],
              rows: VERDICTS.map((verdict) => [verdict, trust[verdict], trust.estimates[verdict] ?? 0]),
            })}
          />
        </span>
      </header>
      <SplitBar
        wide
        width={1_000}
        height={10}
        of={all}
        parts={VERDICTS.map((verdict) => ({ key: verdict, paint: verdict, value: trust[verdict] }))}
      />
      <ul className="rank-list split-list">
        {VERDICTS.map((verdict) => (
          <li key={verdict}>
            <div>
              <Swatch paint={verdict} />{' '}
              <ReportLink to="bots" narrow={{ verified: WORDS[verdict].filter }}>
                {WORDS[verdict].sign} {WORDS[verdict].word}
              </ReportLink>
              <span className="cell-detail">
                {WORDS[verdict].why}
                {/* A share link has no such page. */}
                {verdict === 'unknown' && !shared && '; Trust shows why'}
              </span>
            </div>
            <span className="rank-figure number">
              <VisitsLink narrow={{ verdict }} of={`that are ${verdict}`}>
                {countText(trust[verdict], trust.estimates[verdict])}
              </VisitsLink>
            </span>
            <span className="quiet number">{all > 0 ? shareText(trust[verdict] / all) : '–'}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
