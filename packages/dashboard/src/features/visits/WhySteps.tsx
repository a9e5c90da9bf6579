import { type JudgedVisit, type Outcome, whySteps } from './why.ts';
import './visits.css';

const SIGNS: Readonly<Record<Outcome, readonly [sign: string, word: string]>> = {
  proof: ['✓', 'proof'],
  against: ['✕', 'against'],
  open: ['?', 'undecided'],
  none: ['–', 'not used'],
  fact: ['–', 'no evidence'],
};

/** How a visit came to its verdict. */
export function WhySteps({ visit }: { visit: JudgedVisit }) {
  const steps = whySteps(visit);
  if (steps.length === 0) return null;
  return (
    <section className="why" aria-label="Why this verdict">
      <h3>Why this verdict</h3>
      <ol className="why-steps">
        {steps.map(({ title, outcome, word = SIGNS[outcome][1], detail }, index) => (
          <li key={title} data-outcome={outcome}>
            <span className="why-sign" aria-hidden="true">
              {SIGNS[outcome][0]}
            </span>
            <div>
              <h4>
                {title}
                {/* The last step is the verdict, which says it. */}
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
