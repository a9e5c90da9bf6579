import { CompanyMark } from '../../features/marks/CompanyMark.tsx';
import { useSourceName } from '../../parts/useSources.ts';
import { versionText } from './senders.ts';

interface SenderProps {
  source: string;
  versions: readonly string[];
}

/** A kind of sender by its mark and name, with the versions that it sent. */
export function Sender({ source, versions }: SenderProps) {
  const name = useSourceName()(source);
  return (
    <span className="sender">
      <CompanyMark of={name} />
      {name}
      {versions.length > 0 && <span className="mono">{versions.map(versionText).join(', ')}</span>}
    </span>
  );
}
