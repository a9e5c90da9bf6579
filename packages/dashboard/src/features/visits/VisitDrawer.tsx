import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { VisitItem } from '../../api/schema.gen.ts';
import type { LiveItem } from '../../api/types.ts';
import { countryName, intentName, methodName } from '../../format/names.ts';
import { networkName } from '../../format/networks.ts';
import { periodOf } from '../../format/period.ts';
import { dateTime, dayLabel, exactTime, instant, utc } from '../../format/time.ts';
import { visible } from '../../format/visible.ts';
import { CopyButton } from '../../parts/CopyButton.tsx';
import { IconCross, IconFilter } from '../../parts/icons.tsx';
import { useTimeZone } from '../../parts/Time.tsx';
import { useSourceName } from '../../parts/useSources.ts';
import { useProperty } from '../property/useProperty.ts';
import { useCarriedOver } from '../reports/carried.ts';
import { ClassBadge } from './ClassGlyph.tsx';
import { ReferralWhy } from './ReferralWhy.tsx';
import type { VisitFilterName } from './search.ts';
import { VerdictMark } from './VerdictMark.tsx';
import { visitorName } from './visitor.ts';
import { WhySteps } from './WhySteps.tsx';

/** A row of Live has fewer members than a stored visit, which is no browser event. */
type DrawnVisit = Omit<LiveItem, 'sdk_bot'> &
  Partial<Pick<LiveItem, 'sdk_bot'> & Omit<VisitItem, keyof LiveItem>>;

interface VisitDrawerProps {
  visit: DrawnVisit;
  /** Leads to the visits beside it in the list. */
  steps: ReactNode;
  onClose: () => void;
  /** Narrows the list beside it; absent: the list has no such filters. */
  onFilter?: (name: VisitFilterName, value: string) => void;
}

interface DetailField {
  readonly label: string;
  /** What is copied. Without it the field is not shown. */
  readonly value: string;
  /** What is shown; default: the value. */
  readonly text?: string | undefined;
  readonly mono?: true;
  readonly filter?: VisitFilterName;
}

/** A visit: the reason of its verdict, and every field. Not modal, so that `j` and `k` still move through the rows. */
export function VisitDrawer({ visit, steps, onClose, onFilter }: VisitDrawerProps) {
  const fields = useFields(visit);
  return (
    <aside className="drawer" aria-label="Visit details">
      <header className="drawer-head">
        <div>
          <h2>{visitorName(visit)}</h2>
          <div className="drawer-marks">
            <ClassBadge hitClass={visit.class} sdkBot={visit.sdk_bot === true} />
            <VerdictMark item={visit} />
          </div>
        </div>
        <div className="drawer-buttons">
          {steps}
          <button type="button" className="icon-button" aria-label="Close details" onClick={onClose}>
            <IconCross />
          </button>
        </div>
      </header>
      <VisitWays visit={visit} />
      <WhySteps visit={visit} />
      <ReferralWhy visit={visit} />
      <dl className="drawer-fields">
        {fields
          .filter(({ value }) => value !== '')
          .map(({ label, value, text, mono, filter }) => (
            <div key={label} className="drawer-field">
              <dt>{label}</dt>
              <dd className={mono ? 'mono break' : 'break'}>{visible(text ?? value)}</dd>
              <dd className="drawer-copy">
                {filter !== undefined && onFilter !== undefined && (
                  <button
                    type="button"
                    className="icon-button copy"
                    aria-label={`Only visits with this ${label.toLowerCase()}`}
                    title="Only visits with this value"
                    onClick={() => onFilter(filter, value)}
                  >
                    <IconFilter />
                  </button>
                )}
                <CopyButton text={value} what={label} />
              </dd>
            </div>
          ))}
      </dl>
    </aside>
  );
}

function useFields(visit: DrawnVisit): readonly DetailField[] {
  const timeZone = useTimeZone() ?? undefined;
  const sourceName = useSourceName();
  const at = instant(visit.at) ?? 0;
  const country = countryName(visit.country);
  const isSample = visit.sample_rate > 0 && visit.sample_rate < 1;
  const query = Object.entries(visit.query_params ?? {}).map(([key, value]) => `${key}=${value}`);
  return [
    {
      label: `Time (${timeZone})`,
      value: timeZone === undefined || timeZone === 'UTC' ? '' : dateTime(at, timeZone),
    },
    { label: 'Time (UTC)', value: utc(at), text: exactTime(at) },
    { label: 'Host', value: visit.host, mono: true, filter: 'host' },
    { label: 'Path', value: visit.path, mono: true, filter: 'page' },
    { label: 'Query', value: query.join('&'), mono: true },
    { label: 'Method', value: visit.method, mono: true },
    { label: 'Status', value: visit.status === 0 ? '' : String(visit.status), filter: 'status' },
    {
      label: 'Bytes',
      value: visit.bytes ? String(visit.bytes) : '',
      text: visit.bytes?.toLocaleString('en'),
    },
    { label: 'Firewall', value: visit.waf_action },
    { label: 'Bot', value: visit.bot_name, filter: 'bot' },
    { label: 'Vendor', value: visit.vendor, filter: 'vendor' },
    { label: 'Intent', value: visit.intent, text: intentName(visit.intent), filter: 'intent' },
    {
      label: 'Verified by',
      value: visit.verified_by,
      text: methodName(visit.verified_by),
      filter: 'verified_by',
    },
    {
      // What it means is among the steps to the verdict.
      label: 'Reason code',
      value: visit.verdict_reason,
      mono: true,
      filter: 'verdict_reason',
    },
    { label: 'Signed by', value: visit.signature_agent, mono: true },
    {
      label: 'IP ranges as of',
      value: visit.ranges_as_of,
      text: visit.ranges_as_of === '' ? undefined : dayLabel(visit.ranges_as_of, true),
    },
    { label: 'Referred by', value: visit.referrer_engine, filter: 'engine' },
    { label: 'Referrer', value: visit.referrer ?? '', mono: true },
    { label: 'Event', value: visit.event_name ?? '' },
    {
      label: 'Network',
      value: visit.asn === 0 ? '' : String(visit.asn),
      text: networkName(visit.asn),
      filter: 'asn',
    },
    {
      label: 'Country',
      value: visit.country,
      text: country === '' ? undefined : `${visit.country} · ${country}`,
      filter: 'country',
    },
    { label: 'User agent', value: visit.user_agent, mono: true },
    {
      label: 'Sample',
      value: isSample ? String(visit.sample_rate) : '',
      text: `Represents about ${Math.round(1 / visit.sample_rate).toLocaleString('en')} visits`,
    },
    { label: 'Source', value: visit.source, text: sourceName(visit.source), filter: 'source' },
    { label: 'Collector', value: visit.worker_version ?? '', filter: 'version' },
    { label: 'Request ID', value: visit.ray_id ?? '', mono: true },
    { label: 'Hit ID', value: visit.id, mono: true },
  ];
}

/** Links from a visit to the reports of its bot, or the visits of its engine, and to that of its page. */
function VisitWays({ visit }: { visit: DrawnVisit }) {
  const property = useProperty();
  // A period that includes today, because the visit is recent.
  const { period: name } = useCarriedOver()('conversions');
  const period =
    name !== undefined && periodOf({ period: name }, Date.now()).isRunning ? { period: name } : {};
  const { class: of, bot_name: bot, referrer_engine: engine } = visit;
  const isBot = of === 'ai_bot' && bot !== '';
  const isReferral = of === 'ai_referral' && engine !== '';
  if (property === null || !(isBot || isReferral)) return null;
  const params = { propertyId: property.id };
  return (
    <nav className="drawer-ways" aria-label="Reports">
      {isBot ? (
        <Link
          to="/p/$propertyId/bots"
          params={params}
          search={{ ...period, bot }}
          className="button button-small"
        >
          All visits by {bot}
        </Link>
      ) : (
        <Link
          to="/p/$propertyId/visits"
          params={params}
          search={{ ...period, class: 'ai_referral', engine }}
          className="button button-small"
        >
          All visits from {engine}
        </Link>
      )}
      {visit.path.startsWith('/') && (
        <Link
          to="/p/$propertyId/pages"
          params={params}
          search={{ ...period, page: visit.path, host: visit.host, group: 'bot_page' }}
          className="button button-small"
        >
          Open page report
        </Link>
      )}
    </nav>
  );
}
