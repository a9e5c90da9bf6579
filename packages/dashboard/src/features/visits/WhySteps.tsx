import { type JudgedVisit, type Outcome, whySteps } from './why.ts';
import './visits.css';

const SIGNS: Readonly<Record<Outcome, readonly [sign: string, word: string]>> = {
  proof: ['✓', 'Proof'],
  against: ['✕', 'Against'],
  open: ['?', 'Open'],
  none: ['–', 'Not used'],
  fact: ['·', 'Fact'],
};

/** How a visit came to its verdict. */
export function WhySteps({ visit }: { visit: JudgedVisit }) {
  const steps = whySteps(visit);
  if (steps.length === 0) return null;
  return (
    <section className="why" aria-label="Why this verdict">
      <h3>Why this verdict</h3>
      <ol className="why-steps">
        {steps.map(({ title, outcome, detail }) => (
          <li key={title} data-outcome={outcome}>
            <span className="why-sign" aria-hidden="true">
              {SIGNS[outcome][0]}
            </span>
            <div>
              <h4>
                {title}
                <span className="visually-hidden"> ({SIGNS[outcome][1]})</span>
              </h4>
              <p>{detail}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
