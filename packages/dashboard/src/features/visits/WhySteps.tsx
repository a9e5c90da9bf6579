import { type JudgedVisit, type Outcome, type WhyStep, whyOf } from './why.ts';
import './visits.css';

/** What decides nothing has no word: beside what was verified, it would read as a failure. Its sentence says why. The others have signs; their words are for readers who hear them. */
const SIGNS: Readonly<Record<Outcome, readonly [sign: string, word: string | null]>> = {
  proof: ['✓', 'Proof'],
  against: ['✕', 'Disproof'],
  none: ['–', null],
};

/** Whether a visit is who it says, and how that was found out: the answer first. What decided nothing is folded, unless nothing decided. */
export function WhySteps({ visit }: { visit: JudgedVisit }) {
  const why = whyOf(visit);
  if (why === null) return null;
  const decided = why.steps.filter(({ outcome }) => outcome !== 'none');
  const unused = decided.length === 0 ? [] : why.steps.filter(({ outcome }) => outcome === 'none');
  return (
    <section className="why" aria-label="How its identity was checked">
      <p className="why-answer" data-verdict={why.verdict}>
        {why.conclusion} <span>{why.counted}</span>
      </p>
      <h3>How its identity was checked</h3>
      <Steps of={decided.length === 0 ? why.steps : decided} />
      {unused.length > 0 && (
        <details className="why-unused">
          <summary className="disclosure">
            Not used: {unused.map(({ title }) => title.toLowerCase()).join(', ')}
          </summary>
          <Steps of={unused} />
        </details>
      )}
    </section>
  );
}

const Steps = ({ of }: { of: readonly WhyStep[] }) => (
  <ol className="why-steps">
    {of.map(({ title, outcome, detail }) => (
      <li key={title} data-outcome={outcome}>
        <span className="why-sign" aria-hidden="true">
          {SIGNS[outcome][0]}
        </span>
        <div>
          <h4>
            {title}
            {SIGNS[outcome][1] !== null && <span className="visually-hidden">: {SIGNS[outcome][1]}</span>}
          </h4>
          <p>{detail}</p>
        </div>
      </li>
    ))}
  </ol>
);
