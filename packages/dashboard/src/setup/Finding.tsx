import type { SetupFinding } from '../api/types.ts';
import { IconInfo, IconWarning } from '../parts/icons.tsx';
import { Time } from '../parts/Time.tsx';

const SEVERITY_NAMES = { error: 'Error', warning: 'Warning', info: 'Note' } as const;

export function Finding({ finding }: { finding: SetupFinding }) {
  const { severity, title, detail, action, count, last_at } = finding;
  const label = SEVERITY_NAMES[severity] ?? severity;
  return (
    <li className="finding" data-severity={severity}>
      {severity === 'info' ? <IconInfo label={label} /> : <IconWarning label={label} />}
      <div>
        <p className="finding-title">
          {title}
          {count > 1 && <span className="number"> × {count.toLocaleString('en')}</span>}
        </p>
        <p className="break">{detail}</p>
        {action !== '' && <p className="finding-action break">{action}</p>}
        <p className="quiet">
          <Time value={last_at} form="ago" none="" />
        </p>
      </div>
    </li>
  );
}
