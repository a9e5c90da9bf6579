import { CompanyMark } from '../../features/marks/CompanyMark.tsx';
import { Mark } from '../../parts/Sign.tsx';
import { useSourceName } from '../../parts/useSources.ts';
import { versionText } from './senders.ts';

interface SenderProps {
  source: string;
  versions: readonly string[];
  /** The version that it should have; none: it has the latest, or the latest is unknown. */
  update?: string | null | undefined;
}

/** A kind of sender by its mark and name, with the versions that it sent. */
export function Sender({ source, versions, update = null }: SenderProps) {
  const name = useSourceName()(source);
  return (
    <span className="sender">
      <CompanyMark of={name} />
      {name}
      {versions.length > 0 && <span className="mono">{versions.map(versionText).join(', ')}</span>}
      {update !== null && <Mark tone="wait" sign="arrow" title={`update to ${update}`} />}
    </span>
  );
}
