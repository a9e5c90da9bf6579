import { Link } from '@tanstack/react-router';
import type { LiveItem } from '../../api/types.ts';
import { useProperty } from '../../features/property/useProperty.ts';
import { useCarriedOver } from '../../features/reports/carried.ts';
import { reasonSentence, VerdictMark } from '../../features/visits/VerdictMark.tsx';
import { countryName, intentName, methodName } from '../../format/names.ts';
import { dateTime, utc } from '../../format/time.ts';
import { visible } from '../../format/visible.ts';
import { CopyButton } from '../../parts/CopyButton.tsx';
import { IconCross } from '../../parts/icons.tsx';
import { useTimeZone } from '../../parts/Time.tsx';
import { useSourceName } from '../../parts/useSources.ts';
import { type LiveRow, visitorName } from './buffer.ts';
import { ClassBadge } from './ClassGlyph.tsx';

/** Every field of a visit, with copy buttons. Not modal, so that `j` and `k` still move through the rows. */
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
    ['Firewall', item.waf_action],
    ['Status', item.status === 0 ? '' : String(item.status)],
    ['Bot', item.bot_name],
    ['Vendor', item.vendor],
    ['Intent', item.intent ?? '', intentName(item.intent)],
    ['Verified by', item.verified_by ?? '', methodName(item.verified_by)],
    ['Verdict', item.verdict_reason, reasonSentence(item.verdict_reason)],
    ['IP ranges as of', item.ranges_as_of],
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

const MONO = new Set(['Host', 'Path', 'User agent', 'Hit ID', 'Time (UTC)', 'Method']);

/** @param value what is copied; @param text what is shown. An empty value has no row. */
function DetailField({ label, value, text }: { label: string; value: string; text: string }) {
  if (value === '') return null;
  return (
    <div className="drawer-field">
      <dt>{label}</dt>
      <dd className={MONO.has(label) ? 'mono break' : 'break'}>{visible(text)}</dd>
      <dd className="drawer-copy">
        <CopyButton text={value} what={label} />
      </dd>
    </div>
  );
}

/** Links from a visit to the reports of its bot and its page. */
function ReportWays({ item }: { item: LiveItem }) {
  const property = useProperty();
  // A period that includes today, because the visit is recent.
  const { days } = useCarriedOver()('conversions');
  const period = days === undefined ? {} : { days };
  if (property === null || item.class !== 'ai_bot' || item.bot_name === '') return null;
  const params = { propertyId: property.id };
  return (
    <nav className="drawer-ways" aria-label="Reports">
      <Link
        to="/p/$propertyId/bots"
        params={params}
        search={{ ...period, bot: item.bot_name }}
        className="button button-small"
      >
        All of {item.bot_name}
      </Link>
      {item.path.startsWith('/') && (
        <Link
          to="/p/$propertyId/pages"
          params={params}
          search={{ ...period, page: item.path, host: item.host, group: 'bot_page' }}
          className="button button-small"
        >
          Bots on this page
        </Link>
      )}
    </nav>
  );
}
