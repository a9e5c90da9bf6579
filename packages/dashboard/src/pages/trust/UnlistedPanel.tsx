import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { queries } from '../../api/queries.ts';
import type { Property } from '../../api/types.ts';
import { ChartFiles } from '../../features/charts/ChartFiles.tsx';
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
    <section ref={box} className="card panel" aria-label="Unlisted crawlers">
      <header className="panel-head">
        <h2>Unlisted crawlers</h2>
        {report.data !== undefined && report.data.items.length > 0 && (
          <ChartFiles title="Unlisted crawlers" table={() => tableOf(report.data.items)} />
        )}
      </header>
      <p className="field-hint">
        Programs that the bot list doesn’t name, from traffic samples and server logs. Samples don’t show how
        often a program came, so its visits are estimated with a 95% range.{' '}
        {mayAdd
          ? 'If you add one, its future visits count as AI bot visits in every property of this installation. Collectors recognise it within six hours. Stored visits don’t change.'
          : 'An admin of the installation’s first organization can add them to the list.'}
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
        <ul className="unlisted" aria-label="Unlisted programs">
          {items.map((item) => (
            <Row key={item.name} item={item} mayAdd={mayAdd} />
          ))}
        </ul>
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

function Row({ item, mayAdd }: { item: Item; mayAdd: boolean }) {
  const { name, certainty, contact, user_agent: agent, samples, estimated, low, high, networks } = item;
  const details = [
    CERTAINTY[certainty],
    contact === '' ? 'no contact address' : contact,
    networks.length === 0 ? '' : counted(networks.length, 'network'),
    item.robots > 0 ? 'reads robots.txt' : '',
  ].filter((part) => part !== '');
  return (
    <li className="unlisted-row">
      <div className="unlisted-name">
        <strong className="break">{visible(name)}</strong>
        <span className="cell-detail">{details.join(' · ')}</span>
        <code className="unlisted-agent" title={agent}>
          {visible(agent)}
        </code>
      </div>
      <p className="unlisted-figures">
        {samples === 0 ? (
          // Counted one by one, and no visit of it is stored.
          <span>{countText(Math.round(estimated))}</span>
        ) : (
          <VisitsLink narrow={{ class: 'sample', user_agent: name }} of={`of ${name}`}>
            about {countText(Math.round(estimated))}
          </VisitsLink>
        )}
        <span className="cell-detail">
          {samples === 0
            ? 'counted by server logs'
            : `${countText(Math.round(low))} to ${countText(Math.round(high))}, from ${counted(samples, 'sample')}`}
        </span>
        <span className="cell-detail">
          last seen <Time value={item.last_seen} form="ago" />
        </span>
      </p>
      {mayAdd && <AddControl item={item} />}
    </li>
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
  if (token === null)
    return <p className="unlisted-action quiet">Can’t be added: the name is {fault?.replace(/:.*/s, '')}.</p>;
  return (
    <div className="unlisted-action">
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
          aria-label={`Add to list: ${name}`}
          disabled={isPending}
          onClick={() => mutate(true)}
        >
          {isPending ? 'Adding…' : 'Add to list'}
        </button>
      )}
      {error !== null && <ErrorState error={error} />}
    </div>
  );
}
