import { type JudgedVisit, type Outcome, whyOf } from './why.ts';
import './visits.css';

/** What decides nothing has no word: beside what was verified, it would read as a failure. Its sentence says why. */
const SIGNS: Readonly<Record<Outcome, readonly [sign: string, word: string | null]>> = {
  proof: ['✓', 'Proof'],
  against: ['✕', 'Disproof'],
  none: ['–', null],
};

/** Whether a visit is who it says, and how that was found out: the answer first. */
export function WhySteps({ visit }: { visit: JudgedVisit }) {
  const why = whyOf(visit);
  if (why === null) return null;
  return (
    <section className="why" aria-label="How its identity was checked">
      <p className="why-answer" data-verdict={why.verdict}>
        {why.conclusion} <span>{why.counted}</span>
      </p>
      <h3>How its identity was checked</h3>
      <ol className="why-steps">
        {why.steps.map(({ title, outcome, detail }) => (
          <li key={title} data-outcome={outcome}>
            <span className="why-sign" aria-hidden="true">
              {SIGNS[outcome][0]}
            </span>
            <div>
              <h4>
                {title}
                {SIGNS[outcome][1] !== null && <span className="why-word">{SIGNS[outcome][1]}</span>}
              </h4>
              <p>{detail}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
