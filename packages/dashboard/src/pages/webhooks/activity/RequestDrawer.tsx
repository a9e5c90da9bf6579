import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Property } from '../../../api/types.ts';
import { conversionsQueries } from '../../../features/conversions/api.ts';
import { worthOf } from '../../../features/conversions/money.ts';
import { topicName } from '../../../features/conversions/topics.ts';
import { type ActivityDetail, type Finding, webhooksQueries } from '../../../features/webhooks/api.ts';
import { counted } from '../../../format/names.ts';
import { ago } from '../../../format/time.ts';
import { visible } from '../../../format/visible.ts';
import { CodeBlock } from '../../../parts/CopyButton.tsx';
import { Drawer } from '../../../parts/Drawer.tsx';
import { Problem } from '../../../parts/Field.tsx';
import { IconArrow } from '../../../parts/icons.tsx';
import { ErrorState, Skeleton } from '../../../parts/states.tsx';
import { Time } from '../../../parts/Time.tsx';
import { KeyName } from '../keys/KeyName.tsx';
import { ResultMark } from './ResultMark.tsx';

interface RequestDrawerProps {
  property: Property;
  requestId: string;
  onClose: () => void;
}

export function RequestDrawer({ property, requestId, onClose }: RequestDrawerProps) {
  const { data, error, refetch } = useQuery(webhooksQueries.request(property.id, requestId));
  return (
    <Drawer
      label="Request details"
      title={data === undefined ? 'Request' : titleOf(data)}
      onClose={onClose}
      marks={
        data !== undefined && (
          <>
            {data.conversion_id !== null && <code className="break">{visible(data.conversion_id)}</code>}
            <ResultMark item={data} />
          </>
        )
      }
    >
      {data !== undefined && <RequestDetails property={property} item={data} />}
      {data === undefined && error === null && <Skeleton lines={6} label="Loading the request" />}
      {data === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
    </Drawer>
  );
}

/** `Lead · €40.00`. */
const titleOf = (item: ActivityDetail): string =>
  [topicName(item.topic), worthOf(item)].filter((part) => part !== null).join(' · ');

/** The request, its outcome, and what to do. */
function RequestDetails({ property, item }: { property: Property; item: ActivityDetail }) {
  const facts: readonly (readonly [string, ReactNode])[] = [
    ['Time', <Time key="at" value={item.at} form="date" />],
    ['HTTP status', item.http_status],
    item.delivery === null
      ? [
          'Key',
          item.key_prefix === null || item.key_prefix === '' ? (
            'unknown'
          ) : (
            <KeyName key="key" property={property} prefix={item.key_prefix} />
          ),
        ]
      : ['Delivery', <code key="delivery">{`${item.shop} ${item.delivery}`}</code>],
    ...(item.count > 1 ? [['Represents', counted(item.count, 'request')] as const] : []),
  ];
  return (
    <>
      <section>
        {item.match_reason === 'matched' && item.conversion !== null ? (
          <MatchedVisit property={property} conversion={item.conversion} otherwise={item.explanation} />
        ) : (
          <Said title="Outcome">{item.explanation}</Said>
        )}
        {item.duplicate && (
          <p className="drawer-said">A repetition of an earlier request: same answer, no changes.</p>
        )}
        {item.conversion !== null && (
          <Link
            to="/p/$propertyId/conversions"
            params={{ propertyId: property.id }}
            search={{ open: item.conversion }}
            className="button button-small"
          >
            Open the conversion
            <IconArrow />
          </Link>
        )}
      </section>
      <Findings title="Errors" severity="error" items={item.errors} />
      <Findings title="Warnings" severity="warning" items={item.warnings} />
      <dl className="request-facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="break">{value}</dd>
          </div>
        ))}
      </dl>
      <section>
        <h3>{item.cut ? 'Beginning of the request body' : 'Request body'} (personal data masked)</h3>
        {item.received === null ? (
          <p className="quiet">The request was rejected before its body was read.</p>
        ) : (
          <CodeBlock wrap title="JSON" what="the masked body" code={JSON.stringify(item.received, null, 2)} />
        )}
      </section>
    </>
  );
}

interface MatchedVisitProps {
  property: Property;
  /** Its id here. */
  conversion: string;
  /** Until the visit is known, and where it has no name. */
  otherwise: string;
}

/** The visit that the conversion is credited to: `ChatGPT, 3 days earlier`. */
function MatchedVisit({ property, conversion, otherwise }: MatchedVisitProps) {
  const { data } = useQuery(conversionsQueries.conversion(property.id, conversion));
  const visit = data?.touches.find(({ winner }) => winner);
  if (data === undefined || visit === undefined || visit.source === '')
    return <Said title="Outcome">{otherwise}</Said>;
  const earlier = ago(Date.parse(visit.at), Date.parse(data.at)).replace(/(?: ago)?$/, ' earlier');
  return (
    <Said title="Matched visit">
      {visible(visit.source)}, {earlier === 'just now earlier' ? 'moments earlier' : earlier}
    </Said>
  );
}

function Said({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <h3>{title}</h3>
      <p className="drawer-said">{children}</p>
    </>
  );
}

interface FindingsProps {
  title: string;
  severity: 'error' | 'warning';
  items: readonly Finding[];
}

function Findings({ title, severity, items }: FindingsProps) {
  if (items.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <ul className="request-findings">
        {items.map(({ pointer, message }) => (
          <li key={`${pointer} ${message}`}>
            <Problem
              said={{ severity, message: visible(pointer === '' ? message : `${pointer}: ${message}`) }}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
