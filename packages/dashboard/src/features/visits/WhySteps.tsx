import { type JudgedVisit, type Outcome, whySteps } from './why.ts';
import './visits.css';

const SIGNS: Readonly<Record<Outcome, readonly [sign: string, word: string]>> = {
  proof: ['✓', 'proof'],
  against: ['✕', 'against'],
  open: ['?', 'undecided'],
  none: ['–', 'not used'],
  fact: ['–', 'no evidence'],
};

/** How it was found out whether a visit is who it says. */
export function WhySteps({ visit }: { visit: JudgedVisit }) {
  const steps = whySteps(visit);
  if (steps.length === 0) return null;
  return (
    <section className="why" aria-label="How its identity was checked">
      <h3>How its identity was checked</h3>
      <ol className="why-steps">
        {steps.map(({ title, outcome, word = SIGNS[outcome][1], detail }, index) => (
          <li key={title} data-outcome={outcome}>
            <span className="why-sign" aria-hidden="true">
              {SIGNS[outcome][0]}
            </span>
            <div>
              <h4>
                {title}
                {/* The last step says what came of them. */}
                {index < steps.length - 1 && <span className="why-word">{word}</span>}
              </h4>
              <p>{detail}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
