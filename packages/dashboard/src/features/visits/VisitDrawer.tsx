import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { VisitItem } from '../../api/schema.gen.ts';
import type { LiveItem } from '../../api/types.ts';
import {
  counted,
  countryName,
  intentName,
  makerAndIntent,
  methodName,
  sizeText,
} from '../../format/names.ts';
import { networkName } from '../../format/networks.ts';
import { periodOf } from '../../format/period.ts';
import { dateTime, dayLabel, exactTime, instant, utc } from '../../format/time.ts';
import { visible } from '../../format/visible.ts';
import { CopyButton } from '../../parts/CopyButton.tsx';
import { useDrawerFocus } from '../../parts/Drawer.tsx';
import { IconCross, IconFilter } from '../../parts/icons.tsx';
import { useTimeZone } from '../../parts/Time.tsx';
import { useSourceName } from '../../parts/useSources.ts';
import { useProperty } from '../property/useProperty.ts';
import { useCarriedOver } from '../reports/carried.ts';
import { ClassBadge } from './ClassGlyph.tsx';
import { ReferralWhy } from './ReferralWhy.tsx';
import type { VisitFilterName } from './search.ts';
import { reasonSentence } from './VerdictMark.tsx';
import { verdictOf } from './verdict.ts';
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
  /** The name that the API has for the text. */
  readonly code?: string;
  /** Known from the head or the checks, or of use to few: behind a button. */
  readonly isRare?: boolean;
  /** Often copied: its button is always there. */
  readonly isCopied?: true;
}

/** Fewer fields than this are not worth a button. */
const FOLDED_FROM = 4;

/** A visit: the reason of its verdict, and every field. Not modal, so that `j` and `k` still move through the rows. */
export function VisitDrawer({ visit, steps, onClose, onFilter }: VisitDrawerProps) {
  const fields = useFields(visit).filter(({ value }) => value !== '');
  const heading = useDrawerFocus();
  const isSpoofed = verdictOf(visit) === 'spoofed';
  const folds = fields.filter(({ isRare }) => isRare).length >= FOLDED_FROM;
  const rare = folds ? fields.filter(({ isRare }) => isRare) : [];
  const shown = folds ? fields.filter(({ isRare }) => !isRare) : fields;
  const field = (one: DetailField) => <Field key={one.label} field={one} onFilter={onFilter} />;
  return (
    <aside className="drawer" aria-label="Visit details">
      <header className="drawer-head">
        <div>
          <h2 ref={heading} tabIndex={-1}>
            {isSpoofed ? `Claims to be ${visitorName(visit)}` : visitorName(visit)}
          </h2>
          <p className="drawer-marks">
            <ClassBadge hitClass={visit.class} sdkBot={visit.sdk_bot === true} />
            <span className="quiet">{makerAndIntent(visit.vendor, visit.intent)}</span>
          </p>
        </div>
        <div className="drawer-buttons">
          {steps}
          <button type="button" className="icon-button" aria-label="Close details" onClick={onClose}>
            <IconCross />
          </button>
        </div>
      </header>
      <WhySteps visit={visit} />
      <ReferralWhy visit={visit} />
      <VisitWays visit={visit} />
      <dl className="drawer-fields">{shown.map(field)}</dl>
      {rare.length > 0 && (
        <details className="drawer-more">
          <summary className="disclosure">{counted(rare.length, 'more field')}</summary>
          <dl className="drawer-fields">{rare.map(field)}</dl>
        </details>
      )}
    </aside>
  );
}

function Field({
  field: { label, value, text, mono, filter, code, isCopied },
  onFilter,
}: {
  field: DetailField;
  onFilter: VisitDrawerProps['onFilter'];
}) {
  return (
    // A tap on a phone shows its buttons, which would else be a column of noise.
    <div className="drawer-field" data-copied={isCopied} tabIndex={-1}>
      <dt>{label}</dt>
      <dd className={mono ? 'mono break' : 'break'}>
        {visible(text ?? value)}
        {code !== undefined && <code className="drawer-code">{visible(code)}</code>}
      </dd>
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
  );
}

function useFields(visit: DrawnVisit): readonly DetailField[] {
  const timeZone = useTimeZone() ?? undefined;
  const sourceName = useSourceName();
  const at = instant(visit.at) ?? 0;
  const country = countryName(visit.country);
  const isSample = visit.sample_rate > 0 && visit.sample_rate < 1;
  const query = Object.entries(visit.query_params ?? {}).map(([key, value]) => `${key}=${value}`);
  const isUtc = timeZone === undefined || timeZone === 'UTC';
  return [
    { label: `Time (${timeZone})`, value: isUtc ? '' : dateTime(at, timeZone) },
    { label: 'Time (UTC)', value: utc(at), text: exactTime(at), isRare: !isUtc },
    { label: 'Host', value: visit.host, mono: true, filter: 'host' },
    { label: 'Path', value: visit.path, mono: true, filter: 'page', isCopied: true },
    { label: 'Query', value: query.join('&'), mono: true },
    { label: 'Event', value: visit.event_name ?? '' },
    { label: 'Status', value: visit.status === 0 ? '' : String(visit.status), filter: 'status' },
    {
      label: 'Response size',
      value: visit.bytes ? String(visit.bytes) : '',
      text: visit.bytes === undefined ? undefined : sizeText(visit.bytes),
    },
    { label: 'Firewall', value: visit.waf_action },
    // The first sentence names it, too.
    { label: 'Referred by', value: visit.referrer_engine, filter: 'engine', isRare: true },
    { label: 'Referrer', value: visit.referrer ?? '', mono: true },
    { label: 'User agent', value: visit.user_agent, mono: true, isCopied: true },
    {
      label: 'Sample',
      value: isSample ? String(visit.sample_rate) : '',
      text: `Represents about ${Math.round(1 / visit.sample_rate).toLocaleString('en')} visits`,
    },
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
    { label: 'Source', value: visit.source, text: sourceName(visit.source), filter: 'source' },
    { label: 'Method', value: visit.method, mono: true, isRare: visit.method === 'GET' },
    { label: 'Bot', value: visit.bot_name, filter: 'bot', isRare: true },
    { label: 'Vendor', value: visit.vendor, filter: 'vendor', isRare: true },
    {
      label: 'Intent',
      value: visit.intent,
      text: intentName(visit.intent),
      filter: 'intent',
      isRare: true,
    },
    {
      label: 'Reason',
      value: visit.verdict_reason,
      text: reasonSentence(visit.verdict_reason),
      code: visit.verdict_reason,
      filter: 'verdict_reason',
      isRare: true,
    },
    {
      label: 'Verified by',
      value: visit.verified_by,
      text: methodName(visit.verified_by),
      filter: 'verified_by',
      isRare: true,
    },
    { label: 'Signed by', value: visit.signature_agent, mono: true, isRare: true },
    {
      label: 'IP ranges as of',
      value: visit.ranges_as_of,
      text: visit.ranges_as_of === '' ? undefined : dayLabel(visit.ranges_as_of, true),
      isRare: true,
    },
    { label: 'Collector', value: visit.worker_version ?? '', filter: 'version', isRare: true },
    { label: 'Request ID', value: visit.ray_id ?? '', mono: true, isRare: true },
    { label: 'Hit ID', value: visit.id, mono: true, isRare: true },
  ];
}

/** Links from a visit to all of its bot or its engine, and to the reports of its bot and its page. */
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
      <Link
        to="/p/$propertyId/visits"
        params={params}
        search={{ ...period, ...(isBot ? { class: of, bot } : { class: 'ai_referral', engine }) }}
        className="button button-small"
      >
        {isBot ? `All visits by ${bot}` : `All visits from ${engine}`}
      </Link>
      {isBot && (
        <Link
          to="/p/$propertyId/bots"
          params={params}
          search={{ ...period, bot }}
          className="button button-small"
        >
          Bot report
        </Link>
      )}
      {visit.path.startsWith('/') && (
        <Link
          to="/p/$propertyId/pages"
          params={params}
          search={{ ...period, page: visit.path, host: visit.host, group: 'bot_page' }}
          className="button button-small"
        >
          Page report
        </Link>
      )}
    </nav>
  );
}
