import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { queries } from '../../api/queries.ts';
import type { LogSource } from '../../api/types.ts';
import { CompanyMark } from '../../features/marks/CompanyMark.tsx';
import { IconChevronRight, IconSearch } from '../../parts/icons.tsx';
import { Mark } from '../../parts/Sign.tsx';
import { matches } from '../../parts/search/matches.ts';
import { Skeleton } from '../../parts/states.tsx';
import { groupsOf, useSources } from '../../parts/useSources.ts';
import { TRY_IT } from './search.ts';

/** Fewer sources are found without a search. */
const SEARCH_FROM = 6;

const TEST_VISIT = {
  slug: TRY_IT,
  title: 'Send a test visit',
  about: 'One command sends one visit. It appears in Live within seconds.',
};

interface SourceGalleryProps {
  propertyId: string;
  /** The slug of the chosen source, or `curl`; undefined: none is chosen. */
  chosen: string | undefined;
  onChoose: (slug: string) => void;
}

/** All sources by group, with a search. Once one is chosen, only that one is shown, with a button to change it. */
export function SourceGallery({ propertyId, chosen, onChoose }: SourceGalleryProps) {
  const sources = useSources();
  const receiving = useReceiving(propertyId);
  const [isOpen, setOpen] = useState(chosen === undefined);
  const [hasChosen, setHasChosen] = useState(false);
  const change = useRef<HTMLButtonElement>(null);
  // The card that had the focus is gone.
  useEffect(() => {
    if (hasChosen && !isOpen) change.current?.focus();
  }, [hasChosen, isOpen]);
  const current = chosen === TRY_IT ? TEST_VISIT : cardsOf(sources).find(({ slug }) => slug === chosen);
  if (!isOpen && current !== undefined)
    return (
      <section className="card chosen-source" aria-label="Source">
        <div>
          <strong>{current.title}</strong>
          <span className="way-about">{current.about}</span>
        </div>
        <button ref={change} type="button" className="button button-small" onClick={() => setOpen(true)}>
          Change source
        </button>
      </section>
    );
  // The groups would move once it is known which are connected.
  if (receiving === null) return <Skeleton lines={12} label="Loading sources" />;
  return (
    <Gallery
      sources={sources}
      receiving={receiving}
      chosen={chosen}
      onChoose={(slug) => {
        onChoose(slug);
        setHasChosen(true);
        setOpen(false);
      }}
    />
  );
}

/** Names of the sources of which something arrived within 24 hours. null: not known yet. */
function useReceiving(propertyId: string): ReadonlySet<string> | null {
  const { data, isPending } = useQuery(queries.setup(propertyId));
  if (isPending) return null;
  return new Set((data?.sources ?? []).flatMap(({ source, count }) => (count > 0 ? [source] : [])));
}

interface GalleryProps {
  sources: readonly LogSource[];
  receiving: ReadonlySet<string>;
  chosen: string | undefined;
  onChoose: (slug: string) => void;
}

function Gallery({ sources, receiving, chosen, onChoose }: GalleryProps) {
  const [text, setText] = useState('');
  const options = sources.map((source) => ({
    source,
    value: source.name,
    text: source.title,
    detail: `${source.summary} ${source.setup.slug}`,
  }));
  const all = matches(options, text).options.map(({ source }) => source);
  const connected = all.filter(({ name }) => receiving.has(name));
  const found = groupsOf(all.filter(({ name }) => !receiving.has(name)));
  return (
    <section className="source-gallery" aria-label="Choose a source">
      {sources.length >= SEARCH_FROM && (
        <div className="search">
          <IconSearch />
          <input
            type="search"
            className="input"
            aria-label="Search sources"
            placeholder="Where does your site run? nginx, Vercel…"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
      )}
      {connected.length > 0 && (
        <Group title="Connected" cards={cardsOf(connected, receiving)} chosen={chosen} onChoose={onChoose} />
      )}
      {found.map(({ title, sources: own }) => (
        <Group key={title} title={title} cards={cardsOf(own)} chosen={chosen} onChoose={onChoose} />
      ))}
      {all.length === 0 && (
        <p className="aside" role="status">
          No results. Any program that can post JSON or a log file can be a source.
        </p>
      )}
      <Group title="Try it first" cards={[TEST_VISIT]} chosen={chosen} onChoose={onChoose} />
    </section>
  );
}

interface Card {
  readonly slug: string;
  readonly title: string;
  readonly about: string;
  readonly isReceiving?: boolean;
}

const cardsOf = (sources: readonly LogSource[], receiving?: ReadonlySet<string>): Card[] =>
  sources.map(({ name, title, summary, setup }) => ({
    ...{ slug: setup.slug, title, about: summary },
    isReceiving: receiving?.has(name) === true,
  }));

interface GroupProps {
  title: string;
  cards: readonly Card[];
  chosen: string | undefined;
  onChoose: (slug: string) => void;
}

function Group({ title, cards, chosen, onChoose }: GroupProps) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <ul className="ways">
        {cards.map(({ slug, title: name, about, isReceiving = false }) => (
          <li key={slug}>
            <button
              type="button"
              className="way"
              data-chosen={slug === chosen}
              aria-pressed={slug === chosen}
              onClick={() => onChoose(slug)}
            >
              <CompanyMark of={name} size={24} />
              <span>
                <span className="way-head">
                  <strong>{name}</strong>
                  {isReceiving && <Mark tone="good" title="Receiving" />}
                </span>
                <span className="way-about">{about}</span>
              </span>
              <span className="way-opens">
                <IconChevronRight />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
