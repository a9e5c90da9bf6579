import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Property } from '../../../api/types.ts';
import { ChartFiles } from '../../../features/charts/ChartFiles.tsx';
import type { StatusFilter } from '../../../features/deliveries/api.ts';
import { statusHint } from '../../../features/deliveries/messages.ts';
import type { Destination, Platform } from '../../../features/destinations/api.ts';
import { DestinationState } from '../../../features/destinations/DestinationState.tsx';
import { kindOf, subjectOf } from '../../../features/destinations/messages.ts';
import { PlatformGlyph } from '../../../features/destinations/PlatformGlyph.tsx';
import { IconChevronRight } from '../../../parts/icons.tsx';
import { Time } from '../../../parts/Time.tsx';
import { AlarmNotice, HeldNotice } from '../AlarmNotice.tsx';
import { MappingNotice } from '../mapping/EventsView.tsx';
import { needsMapping } from '../model/mapping.ts';
import { summaryOf, worstFirst } from '../model/trouble.ts';

interface DestinationListProps {
  property: Property;
  platforms: readonly Platform[];
  items: readonly Destination[];
}

/** The connected destinations, one in a row; those that need attention first. */
export function DestinationList({ property, platforms, items }: DestinationListProps) {
  const hasUnknown = items.some(({ health }) => health.unknown_24h > 0);
  return (
    <section className="connected" aria-labelledby="connected-title">
      <header className="connected-head">
        <h2 id="connected-title">{summaryOf(items)}</h2>
        <ChartFiles title="Destinations" table={() => tableOf(items)} />
      </header>
      <div className="card table-card">
        <table className="table destination-table" aria-labelledby="connected-title">
          <thead>
            <tr className="head-group">
              <td colSpan={2} />
              <th scope="colgroup" colSpan={hasUnknown ? 4 : 3}>
                Last 24 hours
              </th>
              <td colSpan={3} />
            </tr>
            <tr>
              <th scope="col">Destination</th>
              <th scope="col">State</th>
              <Head of24 name="Delivered" hint={statusHint('delivered')} />
              <Head of24 name="Skipped" hint={statusHint('skipped')} />
              {hasUnknown && <Head of24 name="Unknown" hint={statusHint('unknown')} />}
              <Head of24 name="Failed" hint={statusHint('dead')} />
              <Head name="Waiting" hint={`${statusHint('waiting')}. As of now`} />
              <Head name="Last delivered" hint="When the platform last accepted a conversion" />
              <th>
                <span className="visually-hidden">Open</span>
              </th>
            </tr>
          </thead>
          {worstFirst(items).map((destination) => (
            <Row
              key={destination.id}
              property={property}
              platform={platforms.find((one) => one.platform === destination.platform)}
              destination={destination}
              hasUnknown={hasUnknown}
            />
          ))}
        </table>
      </div>
    </section>
  );
}

const tableOf = (items: readonly Destination[]) => ({
  head: [
    ...['Destination', 'Platform', 'State', 'Delivered (24 h)', 'Skipped (24 h)', 'Unknown (24 h)'],
    ...['Failed (24 h)', 'Waiting', 'Last delivered'],
  ],
  rows: worstFirst(items).map(({ name, platform, state, health }) => [
    ...[name, platform, state, health.delivered_24h, health.skipped_24h, health.unknown_24h],
    ...[health.dead_24h, health.waiting, health.last_delivered_at ?? ''],
  ]),
});

interface HeadProps {
  name: string;
  hint: string;
  /** Its figures are of the last 24 hours. */
  of24?: boolean;
}

function Head({ name, hint, of24 = false }: HeadProps) {
  return (
    <th scope="col" className="cell-number" title={of24 ? `${hint}. Last 24 hours` : hint}>
      {name}
    </th>
  );
}

interface RowProps {
  property: Property;
  /** Undefined: of a newer service. */
  platform: Platform | undefined;
  destination: Destination;
  hasUnknown: boolean;
}

/** A destination, and below it what needs attention. */
function Row({ property, platform, destination, hasUnknown }: RowProps) {
  const { name, health, state } = destination;
  const title = platform?.title ?? destination.platform;
  const subject = subjectOf({ platform: destination.platform, title });
  const figure = (label: string, count: number, status: StatusFilter, note?: ReactNode) => (
    <td
      className="cell-number"
      data-label={status === 'waiting' ? label : `${label} (24 h)`}
      data-status={status}
      data-some={count > 0}
    >
      {count === 0 ? (
        '0'
      ) : (
        <Link
          to="/p/$propertyId/deliveries"
          params={{ propertyId: property.id }}
          search={{ destination: destination.id, status }}
          aria-label={`${count.toLocaleString('en')} ${label.toLowerCase()}: show them`}
        >
          {count.toLocaleString('en')}
        </Link>
      )}
      {note}
    </td>
  );
  return (
    <tbody className="destination" data-state={state}>
      <tr>
        <th scope="row">
          <span className="destination-name">
            <PlatformGlyph platform={destination.platform} />
            <span>
              <Link
                to="/p/$propertyId/destinations/$destinationId"
                params={{ propertyId: property.id, destinationId: destination.id }}
                className="row-link"
              >
                {name}
              </Link>
              <span className="quiet">{kindOf(destination, platform)}</span>
            </span>
          </span>
        </th>
        <td className="cell-state">
          <DestinationState destination={destination} />
        </td>
        {figure('Delivered', health.delivered_24h, 'delivered')}
        {figure('Skipped', health.skipped_24h, 'skipped')}
        {hasUnknown && figure('Unknown', health.unknown_24h, 'unknown')}
        {figure('Failed', health.dead_24h, 'dead')}
        {figure(
          'Waiting',
          health.waiting,
          'waiting',
          health.oldest_waiting_at !== null && (
            <span className="cell-below">
              oldest <Time value={health.oldest_waiting_at} form="ago" />
            </span>
          ),
        )}
        <td className="cell-number cell-last" data-label="Last delivered">
          <Time value={health.last_delivered_at} form="ago" none="never" />
        </td>
        <td className="cell-open">
          <IconChevronRight />
        </td>
      </tr>
      <tr className="destination-notices">
        <td colSpan={hasUnknown ? 9 : 8}>
          <AlarmNotice property={property} destination={destination} subject={subject} />
          <HeldNotice
            property={property}
            destination={destination}
            subject={subject}
            maxAgeDays={platform?.max_age_days ?? null}
          />
          {platform !== undefined && (
            <MappingNotice
              property={property}
              destination={destination}
              topics={needsMapping(platform.events, destination.events)}
            />
          )}
        </td>
      </tr>
    </tbody>
  );
}
