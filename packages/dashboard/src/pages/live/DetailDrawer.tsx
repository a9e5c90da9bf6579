import { reasonSentence, VerdictMark } from '../../features/visits/VerdictMark.tsx';
import { countryName, intentName, methodName } from '../../format/names.ts';
import { dateTime, utc } from '../../format/time.ts';
import { IconCross } from '../../parts/icons.tsx';
import { useTimeZone } from '../../parts/Time.tsx';
import { useSourceName } from '../../parts/useSources.ts';
import type { LiveRow } from './buffer.ts';
import { ClassBadge } from './ClassBadge.tsx';
import { DetailField } from './DetailField.tsx';
import { ReportWays } from './ReportWays.tsx';
import { visitorName } from './visitor.ts';

/** Every field of one visit, each to be copied. Not modal: the rows beside it stay in reach of `j` and `k`. */
export function DetailDrawer({ row, onClose }: { row: LiveRow; onClose: () => void }) {
  const { item, at } = row;
  const timeZone = useTimeZone();
  const sourceName = useSourceName();
  const country = countryName(item.country);
  const fields: readonly [string, string, string?][] = [
    [
      timeZone === null || timeZone === 'UTC' ? 'Time' : `Time (${timeZone})`,
      dateTime(at, timeZone ?? undefined),
    ],
    ['Time (UTC)', utc(at)],
    ['Host', item.host],
    ['Path', item.path],
    ['Method', item.method],
    ['Status', item.status === 0 ? '' : String(item.status)],
    ['Bot', item.bot_name],
    ['Vendor', item.vendor],
    ['Intent', item.intent ?? '', intentName(item.intent)],
    ['Verified by', item.verified_by ?? '', methodName(item.verified_by)],
    ['Verdict', item.verdict_reason, reasonSentence(item.verdict_reason)],
    ['Address ranges of', item.ranges_as_of],
    ['Referred by', item.referrer_engine],
    ['Event', item.event_name ?? ''],
    ['Country', item.country, country === '' ? undefined : `${item.country} · ${country}`],
    ['User agent', item.user_agent],
    ['Source', item.source, sourceName(item.source)],
    ['Hit ID', item.id],
  ].map(([label = '', value = '', text]) => (text === undefined ? [label, value] : [label, value, text]));
  return (
    <aside className="drawer" aria-label="Visit details">
      <header className="drawer-head">
        <div>
          <h2>{visitorName(item)}</h2>
          <div className="drawer-marks">
            <ClassBadge hitClass={item.class} sdkBot={item.sdk_bot} />
            <VerdictMark item={item} />
          </div>
        </div>
        <button type="button" className="icon-button" aria-label="Close details" onClick={onClose}>
          <IconCross />
        </button>
      </header>
      <ReportWays item={item} />
      <dl className="drawer-fields">
        {fields.map(([label, value, text]) => (
          <DetailField key={label} label={label} value={value} text={text ?? value} />
        ))}
      </dl>
    </aside>
  );
}
