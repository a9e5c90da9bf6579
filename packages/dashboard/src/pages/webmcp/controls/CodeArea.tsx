import { useId } from 'react';
import { Problem } from '../../../parts/Field.tsx';
import type { LineProblem } from '../model/problems.ts';

interface CodeAreaProps {
  label: string;
  value: string;
  onText: (text: string) => void;
  problems: readonly LineProblem[];
  minLines?: number;
  placeholder?: string;
}

/** Text with line numbers; lines with problems are marked, with the messages below. Tab leaves it, like any field. */
export function CodeArea({ label, value, onText, problems, minLines = 6, placeholder }: CodeAreaProps) {
  const id = useId();
  const lines = Math.max(minLines, value.split('\n').length);
  const severities = new Map(problems.toReversed().map(({ line, severity }) => [line, severity]));
  return (
    <div className="code-area">
      <label htmlFor={id} className="visually-hidden">
        {label}
      </label>
      <div className="code-area-box" data-invalid={problems.some(({ severity }) => severity === 'error')}>
        <ol className="code-area-lines" aria-hidden="true">
          {Array.from({ length: lines }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is its number
            <li key={index} data-severity={severities.get(index + 1)}>
              {index + 1}
            </li>
          ))}
        </ol>
        <textarea
          id={id}
          className="mono"
          rows={lines}
          wrap="off"
          spellCheck={false}
          autoCapitalize="none"
          autoComplete="off"
          placeholder={placeholder}
          aria-invalid={problems.some(({ severity }) => severity === 'error')}
          {...(problems.length > 0 ? { 'aria-describedby': `${id}-problems` } : {})}
          value={value}
          onChange={(event) => onText(event.target.value)}
        />
      </div>
      {problems.length > 0 && (
        <ul id={`${id}-problems`} className="code-area-problems" aria-label="Problems">
          {problems.map(({ line, message, severity }) => (
            <li key={`${line} ${message}`}>
              <Problem said={{ message: `Line ${line}: ${message}`, severity }} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
