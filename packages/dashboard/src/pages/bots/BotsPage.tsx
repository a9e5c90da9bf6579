import { useQuery } from '@tanstack/react-query';
import type { Property } from '../../api/types.ts';
import { Term } from '../../features/glossary/Term.tsx';
import { useProperty } from '../../features/property/useProperty.ts';
import { type ReportAnswer, reportQuery } from '../../features/reports/api.ts';
import { isUnfinished } from '../../features/reports/figures.ts';
import { IdentityKey } from '../../features/reports/IntentKey.tsx';
import { INTENT_LABELS, IntentStrip } from '../../features/reports/IntentStrip.tsx';
import { NoBots } from '../../features/reports/NoBots.tsx';
import { ReportFrame } from '../../features/reports/ReportFrame.tsx';
import { Spoofed } from '../../features/reports/Spoofed.tsx';
import { isFiltered, listQuery } from '../../features/reports/search.ts';
import { DataTable } from '../../features/reports/table/DataTable.tsx';
import { ExportMenu } from '../../features/reports/table/ExportMenu.tsx';
import { type ReportAddress, useReportSearch } from '../../features/reports/useReportSearch.ts';
import { overTime, VisitsOverTime } from '../../features/reports/VisitsOverTime.tsx';
import { counted } from '../../format/names.ts';
import { Segments } from '../../parts/Switch.tsx';
import { BotView } from './BotView.tsx';
import { botColumns } from './columns.tsx';
import { botsByVendor, vendorParts } from './vendor-parts.ts';

const GROUPS = [
  ['bot', 'Bots'],
  ['vendor', 'Vendors'],
] as const;
const DRAWN = [
  ['intent', 'By intent'],
  ['identity', 'By identity'],
] as const;
const OF_VENDORS = [['vendor', 'By vendor'], ...DRAWN] as const;

const CHART_HEIGHT = 210;

/** All bots, or the one that the filter selects. */
export function BotsPage() {
  const property = useProperty();
  const address = useReportSearch();
  const { bot } = address.search;
  if (property === null) return null;
  return bot === undefined ? (
    <ListView key={property.id} property={property} address={address} />
  ) : (
    <BotView key={`${property.id} ${bot}`} property={property} address={address} bot={bot} />
  );
}

/** What a file has. */
function rowsOf(group: 'bot' | 'vendor', answer: ReportAnswer<'bots'> | undefined) {
  if (answer === undefined || group === 'vendor') return {};
  const { bots, gone } = answer.totals;
  return {
    rows: counted(bots, 'bot'),
    ...(gone === 0 ? {} : { besides: `${gone} from the earlier period` }),
  };
}

function ListView({ property, address }: { property: Property; address: ReportAddress }) {
  const { search, change } = address;
  const group = search.group === 'vendor' ? 'vendor' : 'bot';
  const choices = group === 'vendor' ? OF_VENDORS : DRAWN;
  const drawn = choices.find(([choice]) => choice === search.kind)?.[0] ?? choices[0][0];
  const { kind: _, ...list } = listQuery(search);
  const asked = { ...address.compared, ...list, group };
  const report = useQuery(reportQuery(property.id, 'bots', asked));
  const hadBefore = (report.data?.totals.previous?.hits ?? 0) > 0;
  const last = report.data?.series.at(-1)?.day;
  const isRunning = last !== undefined && isUnfinished(last, property.time_zone);
  // The filter bar asks for the same.
  const names = useQuery({
    ...reportQuery(property.id, 'filters', address.query),
    enabled: group === 'vendor' && report.data !== undefined,
  });
  // A row's bar is of the visits that the row counts.
  const isWhole = report.data?.population === 'all' || search.verified === 'false';
  const parts = report.data === undefined ? undefined : vendorParts(report.data);
  const columns = botColumns(group, hadBefore, isRunning, isWhole, {
    botsOf: botsByVendor(names.data?.bots),
    // The table is the legend of a chart by vendor.
    paints: new Map(drawn === 'vendor' ? parts?.series.map(({ key, paint }) => [key, paint]) : []),
  });
  return (
    <ReportFrame
      title="Bots"
      about={
        <>
          <Term name="ai bot">AI bots</Term> that read your pages, and <Term name="intent">why</Term>.{' '}
          {group === 'bot'
            ? 'Open a bot to see its pages, its failures and how it was identified.'
            : 'Open a vendor to see its bots.'}
        </>
      }
      property={property}
      address={address}
      report={report}
      offers={['vendor', 'intent', 'verified', 'path', 'host', 'country']}
      choice={
        <Segments
          legend="Group by"
          value={group}
          options={GROUPS}
          onChoose={(chosen) =>
            change({
              group: chosen === 'bot' ? undefined : chosen,
              kind: undefined,
              sort: undefined,
              order: undefined,
            })
          }
        />
      }
      findsBots
      byHour
      actions={
        <ExportMenu propertyId={property.id} report="bots" query={asked} {...rowsOf(group, report.data)} />
      }
      outline={{
        figures: INTENT_LABELS,
        isBeside: true,
        panels: [
          { title: overTime(address), chart: CHART_HEIGHT },
          { columns, rows: 8 },
        ],
      }}
    >
      {(answer) =>
        answer.totals.hits === 0 && answer.items.length === 0 ? (
          <>
            <Spoofed
              answer={answer}
              spoofed={answer.totals.spoofed}
              estimated={answer.totals.estimates['spoofed']}
            />
            <NoBots
              propertyId={property.id}
              filtered={isFiltered(search)}
              answer={answer}
              spoofed={answer.totals.spoofed}
            />
          </>
        ) : (
          <>
            <div className="figures-beside">
              <div className="figures-side">
                <IntentStrip
                  all={answer.totals}
                  totals={answer.by_intent}
                  by={group}
                  isKey={drawn === 'intent'}
                  {...{ property, address }}
                />
                <Spoofed
                  answer={answer}
                  spoofed={answer.totals.spoofed}
                  estimated={answer.totals.estimates['spoofed']}
                />
              </div>
              <VisitsOverTime
                label="Visits over time"
                by={drawn === 'identity' ? 'identity' : 'intent'}
                parts={drawn === 'vendor' ? parts : undefined}
                {...{ property, address, answer }}
                height={CHART_HEIGHT}
                isTotalled={drawn !== 'identity'}
              >
                <Segments
                  legend="Series"
                  value={drawn}
                  options={choices}
                  onChoose={(kind) =>
                    change({ kind: kind === choices[0][0] ? undefined : kind, n: search.n })
                  }
                />
              </VisitsOverTime>
            </div>
            <section className="card panel bots-list" aria-label={group === 'bot' ? 'Bots' : 'Vendors'}>
              <header className="panel-head">
                <div className="read-heading">
                  <h2>
                    {group === 'bot'
                      ? `${counted(answer.totals.bots, 'bot')} from ${counted(answer.totals.vendors, 'vendor')}`
                      : `${counted(answer.totals.vendors, 'vendor')}, ${counted(answer.totals.bots, 'bot')}`}
                  </h2>
                  {answer.totals.gone > 0 && (
                    <p className="aside">
                      {counted(answer.totals.gone, 'more bot')} came only in the earlier period
                    </p>
                  )}
                </div>
                <IdentityKey isWhole={isWhole} />
              </header>
              <DataTable
                label={group === 'bot' ? 'Bots' : 'Vendors'}
                columns={columns}
                answer={answer}
                keyOf={({ vendor, bot, intent }) => `${vendor}\n${bot}\n${intent}`}
                sortedBy="hits"
                address={address}
                stale={report.isPlaceholderData}
                phoneKey={<IdentityKey isWhole={isWhole} />}
                empty="No bots match these filters."
              />
            </section>
          </>
        )
      }
    </ReportFrame>
  );
}
