import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { queries } from '../../api/queries.ts';
import type { Property } from '../../api/types.ts';
import { ChartFiles } from '../../features/charts/ChartFiles.tsx';
import { Term } from '../../features/glossary/Term.tsx';
import { customBotsApi } from '../../features/lists/custom-bots.ts';
import { useItsTurn } from '../../features/page/rest.ts';
import { type ReportAnswer, reportQuery } from '../../features/reports/api.ts';
import { countText } from '../../features/reports/figures.ts';
import { useMay } from '../../features/session/useSession.ts';
import { VisitsLink } from '../../features/visits/VisitsLink.tsx';
import { counted } from '../../format/names.ts';
import { visible } from '../../format/visible.ts';
import { useAnnounce } from '../../parts/Announcer.tsx';
import { ErrorState, failed, Skeleton } from '../../parts/states.tsx';
import { Time } from '../../parts/Time.tsx';

type Answer = ReportAnswer<'trust/unlisted'>;
type Item = Answer['items'][number];

const CERTAINTY: Readonly<Record<Item['certainty'], string>> = {
  likely: 'Likely a crawler',
  possible: 'Possibly a crawler',
  unlikely: 'Probably a script',
};

export const UNLISTED = 'Unlisted crawlers';

/** Programs in samples and counted logs that no list names, with one click to add them. */
export function UnlistedPanel({
  property,
  query,
}: {
  property: Property;
  query: Readonly<Record<string, string>>;
}) {
  const box = useRef<HTMLElement>(null);
  const report = useQuery({ ...reportQuery(property.id, 'trust/unlisted', query), enabled: useItsTurn(box) });
  const mayAdd = useMay('lists');
  return (
    <section ref={box} className="card panel" aria-label={UNLISTED}>
      <header className="panel-head">
        <h2>{UNLISTED}</h2>
        {report.data !== undefined && report.data.items.length > 0 && (
          <ChartFiles title={UNLISTED} table={() => tableOf(report.data.items)} />
        )}
      </header>
      <p className="aside">
        {mayAdd && 'Add a crawler to the bot list to count its future visits as AI bot visits.'}
        {!mayAdd && 'An admin of the installation’s first organization can add programs to the bot list.'}
      </p>
      {report.isPending && <Skeleton lines={4} label="Loading unlisted crawlers" />}
      {failed(report) && <ErrorState error={report.error} onRetry={() => void report.refetch()} />}
      {report.data !== undefined && <List answer={report.data} mayAdd={mayAdd} />}
    </section>
  );
}

const tableOf = (items: readonly Item[]) => ({
  head: [
    'Program',
    'Certainty',
    'Contact',
    'User agent',
    'Samples',
    'Counted',
    'Estimated',
    'Low',
    'High',
    'Last seen',
  ],
  rows: items.map((item) => [
    ...[item.name, item.certainty, item.contact, item.user_agent, item.samples, item.counted],
    ...[item.estimated, item.low, item.high, item.last_seen ?? ''],
  ]),
});

function List({ answer: { items, total, programs }, mayAdd }: { answer: Answer; mayAdd: boolean }) {
  return (
    <>
      {items.length === 0 ? (
        <p className="quiet">
          None in this period. They are found in traffic samples, which a collector with a sample rate above 0
          sends, and in whole server logs.
        </p>
      ) : (
        <div className="report-list">
          <div className="table-card">
            <table className="table data-table unlisted" aria-label="Unlisted programs">
              <thead>
                <tr>
                  <th scope="col" className="cell-name">
                    Program
                  </th>
                  <th scope="col" className="cell-figure">
                    <Term name="sample">Estimated visits</Term>
                  </th>
                  <th scope="col" className="cell-time">
                    Last seen
                  </th>
                  {mayAdd && (
                    <th scope="col">
                      <span className="visually-hidden">Bot list</span>
                    </th>
                  )}
                </tr>
              </thead>
              <Part title="To review" items={byVisits(items, (token) => token !== null)} mayAdd={mayAdd} />
              <Part
                title="Can’t be added"
                items={byVisits(items, (token) => token === null)}
                mayAdd={mayAdd}
              />
            </table>
          </div>
        </div>
      )}
      {(total > items.length || programs.unnamed > 0) && (
        <p className="quiet">
          {total > items.length && `${total - items.length} more with fewer visits. `}
          {programs.unnamed > 0 &&
            `Server logs counted ${counted(Math.round(programs.unnamed), 'more request')} by programs that are not told apart.`}
        </p>
      )}
    </>
  );
}

const byVisits = (items: readonly Item[], isOf: (token: Item['token']) => boolean): Item[] =>
  items.filter(({ token }) => isOf(token)).toSorted((a, b) => b.estimated - a.estimated);

interface PartProps {
  title: string;
  items: readonly Item[];
  mayAdd: boolean;
}

/** The rows of a kind, below its name. Those that can't be added say why. */
function Part({ title, items, mayAdd }: PartProps) {
  if (items.length === 0) return null;
  return (
    <tbody>
      <tr className="unlisted-group">
        <th scope="rowgroup" colSpan={mayAdd ? 4 : 3}>
          {title} <span className="quiet number">{items.length}</span>
        </th>
      </tr>
      {items.map((item) => (
        <Row key={item.name} item={item} mayAdd={mayAdd} />
      ))}
    </tbody>
  );
}

function Row({ item, mayAdd }: { item: Item; mayAdd: boolean }) {
  const { name, certainty, contact, user_agent: agent, samples, estimated, low, high, networks } = item;
  const details = [
    CERTAINTY[certainty],
    contact === '' ? 'no contact address' : contact,
    networks.length === 0 ? '' : counted(networks.length, 'network'),
    item.robots > 0 ? 'reads robots.txt' : '',
  ].filter((part) => part !== '');
  return (
    <tr>
      <th scope="row" className="cell-name">
        <strong className="break">{visible(name)}</strong>
        <span className="cell-detail">{details.join(' · ')}</span>
        <code className="unlisted-agent" title={agent}>
          {visible(agent)}
        </code>
      </th>
      <td className="cell-figure" data-main="true">
        {samples === 0 ? (
          // Counted one by one, and no visit of it is stored.
          `${countText(Math.round(estimated))} visits`
        ) : (
          <VisitsLink narrow={{ class: 'sample', user_agent: name }} of={`of ${name}`}>
            about {countText(Math.round(estimated))} visits
          </VisitsLink>
        )}
        <span className="cell-detail">
          {samples === 0
            ? 'counted by server logs'
            : `${countText(Math.round(low))} to ${countText(Math.round(high))}, from ${counted(samples, 'sample')}`}
        </span>
      </td>
      <td className="cell-time">
        <Time value={item.last_seen} form="ago" />
      </td>
      {mayAdd && (
        <td className="unlisted-action">
          <AddControl item={item} />
        </td>
      )}
    </tr>
  );
}

/** What adding a program does. */
const ADDED_IS =
  'Its future visits count as AI bot visits in every property; collectors know it within six hours. Stored visits don’t change.';

/** Why a program can't be added: most of them have the name of a library or a browser. */
function NoBot({ fault }: { fault: string | null }) {
  const reason = (fault ?? 'not one that a list can have').replace(/:.*/s, '');
  const isOther = /^not that of a crawler|AI bot/.test(reason);
  const why = `It can’t be added to the bot list: its name is ${reason}.`;
  return (
    <span className="tag" title={why}>
      {isOther ? 'Not an AI bot' : 'Can’t be added'}
      <span className="visually-hidden">. {why}</span>
    </span>
  );
}

function AddControl({ item }: { item: Item }) {
  const { name, token, fault, added, contact } = item;
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const [isAdded, setAdded] = useState(added);
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (add: boolean) => {
      if (token === null) return false;
      if (add) await customBotsApi.add({ token, name, vendor: contact || name, intent: 'other' });
      else await customBotsApi.remove(token);
      return add;
    },
    onSuccess: async (add) => {
      setAdded(add);
      announce(add ? `Added ${name} to the bot list` : `Removed ${name} from the bot list`);
      await queryClient.invalidateQueries(queries.lists());
    },
  });
  if (token === null) return <NoBot fault={fault} />;
  return (
    <div className="unlisted-add">
      {isAdded ? (
        <>
          <span>✓ In the list</span>
          <button
            type="button"
            className="button button-small"
            aria-label={`Undo: remove ${name} from the list`}
            disabled={isPending}
            onClick={() => mutate(false)}
          >
            Undo
          </button>
        </>
      ) : (
        <button
          type="button"
          className="button button-small"
          aria-label={`Add to bot list: ${name}`}
          title={ADDED_IS}
          disabled={isPending}
          onClick={() => mutate(true)}
        >
          {isPending ? 'Adding…' : 'Add to bot list'}
        </button>
      )}
      {error !== null && <ErrorState error={error} />}
    </div>
  );
}
