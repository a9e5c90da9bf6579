import type { SetupSource } from '../../api/types.ts';
import { counted } from '../../format/names.ts';
import { readablePath, visible } from '../../format/visible.ts';
import { Time } from '../../parts/Time.tsx';
import { useSourceName } from '../../parts/useSources.ts';

export function SourceRow({ source }: { source: SetupSource }) {
  const sourceName = useSourceName();
  const where = readablePath(source.host);
  return (
    <li>
      <div className="source-head">
        <strong>{sourceName(source.source)}</strong>
        <Time value={source.last_at} form="ago" />
      </div>
      {(where !== '' || source.bot_name) && (
        <p className="source-what">
          {source.bot_name && <span>{visible(source.bot_name)}</span>}{' '}
          {where !== '' && <code className="break">{where}</code>}
        </p>
      )}
      {(source.count !== undefined || source.worker_version) && (
        <p className="quiet">
          {source.count !== undefined && `${counted(source.count, 'hit')} in 24 hours`}
          {source.worker_version && ` · collector ${source.worker_version}`}
        </p>
      )}
    </li>
  );
}
