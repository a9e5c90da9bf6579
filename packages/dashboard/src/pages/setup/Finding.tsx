import type { SetupFinding } from '../../api/types.ts';
import { IconInfo, IconWarning } from '../../parts/icons.tsx';
import { Time } from '../../parts/Time.tsx';

const SEVERITY_NAMES = { error: 'Error', warning: 'Warning', info: 'Note' } as const;

/** @param open whether it says at once what it means; folded, it is a headline that can be unfolded */
export function Finding({ finding, open }: { finding: SetupFinding; open: boolean }) {
  const { severity, title, detail, action, count, last_at } = finding;
  const label = SEVERITY_NAMES[severity] ?? severity;
  return (
    <li className="finding" data-severity={severity}>
      {severity === 'info' ? <IconInfo label={label} /> : <IconWarning label={label} />}
      <details open={open}>
        <summary className="finding-title">{title}</summary>
        <p className="break">{detail}</p>
        {action !== '' && <p className="finding-action break">{action}</p>}
        <p className="quiet">
          {count > 1 && <span className="number">{count.toLocaleString('en')} times · </span>}
          <Time value={last_at} form="ago" none="" />
        </p>
      </details>
    </li>
  );
}
