import { counted } from '../../../format/names.ts';
import { IconWarning } from '../../../parts/icons.tsx';
import type { PlacedProblem } from '../model/problems.ts';

interface ProblemsButtonProps {
  /** All of one severity. */
  problems: readonly PlacedProblem[];
  name: string;
  onShow: (problem: PlacedProblem) => void;
}

/** How many there are, as a way to the first. */
export function ProblemsButton({ problems, name, onShow }: ProblemsButtonProps) {
  // In the order of the page: the list with the hosts stands before the tool.
  const first = problems.find(({ place }) => place.at !== 'tool') ?? problems[0];
  if (first === undefined) return null;
  return (
    <button
      type="button"
      className="button button-small publish-problems"
      data-severity={first.severity}
      onClick={() => onShow(first)}
    >
      <IconWarning />
      Review {counted(problems.length, name)}
      <span className="visually-hidden">: go to the first</span>
    </button>
  );
}

/** Moves the focus to the control of the first problem; for a host, to its remove button. */
export function focusProblem(severity: PlacedProblem['severity']) {
  const found = document.querySelectorAll(`.tools .problem[data-severity="${severity}"]`);
  // A phone hides one of the panes.
  const problem = [...found].find((one) => one.checkVisibility());
  problem?.scrollIntoView({ block: 'center' });
  const around = problem?.closest('.field, .code-area, .row, .host-list li, .tool-section');
  const control =
    around?.querySelector<HTMLElement>('[aria-invalid="true"]') ??
    around?.querySelector<HTMLElement>('input, textarea, select, button');
  control?.focus({ preventScroll: true });
}
