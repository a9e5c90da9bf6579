import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Property } from '../../api/types.ts';
import { reportQuery } from '../../features/reports/api.ts';
import { filesText, pagesText, readText } from '../../features/reports/figures.ts';
import { NoBots } from '../../features/reports/NoBots.tsx';
import { ReportLink } from '../../features/reports/ReportLink.tsx';
import { isFiltered } from '../../features/reports/search.ts';
import type { ReportAddress } from '../../features/reports/useReportSearch.ts';
import { counted } from '../../format/names.ts';
import { readablePath } from '../../format/visible.ts';
import { EmptyState } from '../../parts/states.tsx';
import type { PagesAnswer, PathKind } from './kinds.ts';

interface ReadHeadingProps {
  totals: PagesAnswer['totals'];
  kind: PathKind;
  /** What else there is, on the line below. */
  children: ReactNode;
}

/** How many of the listed kind were read. */
export function ReadHeading({ totals, kind, children }: ReadHeadingProps) {
  if (kind === 'all')
    return (
      <div>
        <h2>
          {readText(totals)} {totals.pages + totals.files === 1 ? 'was' : 'were'} read
        </h2>
        {totals.bots > 0 && (
          <p className="aside">The list shows every path that {counted(totals.bots, 'bot')} requested.</p>
        )}
      </div>
    );
  return (
    <div>
      <h2>
        {kind === 'page' ? pagesText(totals.pages) : filesText(totals.files)} read by{' '}
        {counted(totals.bots, 'bot')}
      </h2>
      <div className="read-ways">{children}</div>
    </div>
  );
}

interface FolderTrailProps {
  /** Begins and ends with `/`. */
  prefix: string;
  onOpen: (prefix: string | undefined) => void;
}

/** Links to the parent folders of the open one; the root has none. */
export function FolderTrail({ prefix, onOpen }: FolderTrailProps) {
  const names = prefix.split('/').filter((name) => name !== '');
  if (names.length === 0) return null;
  return (
    <nav className="folder-trail mono" aria-label="Folder">
      <button type="button" className="report-link" onClick={() => onOpen(undefined)}>
        /
      </button>
      {names.map((name, index) => {
        const path = `/${names.slice(0, index + 1).join('/')}/`;
        return index === names.length - 1 ? (
          <span key={path} aria-current="location">
            {readablePath(name)}/
          </span>
        ) : (
          <button key={path} type="button" className="report-link" onClick={() => onOpen(path)}>
            {readablePath(name)}/
          </button>
        );
      })}
    </nav>
  );
}

interface NothingReadProps {
  property: Property;
  address: ReportAddress;
  kind: PathKind;
}

/** The empty state: no bot came, or none read anything of this kind. */
export function NothingRead({ property, address: { search, query }, kind }: NothingReadProps) {
  const everything = useQuery(reportQuery(property.id, 'pages', { ...query, kind: 'all', limit: '1' }));
  if (everything.data === undefined) return null;
  const { totals } = everything.data;
  if (totals.hits === 0)
    return (
      <NoBots
        propertyId={property.id}
        filtered={isFiltered(search)}
        answer={everything.data}
        spoofed={totals.spoofed}
      />
    );
  return (
    <EmptyState title={`No AI bot read a ${kind === 'file' ? 'file' : 'page'} in this period`}>
      {totals.pages + totals.files === 0 ? (
        <>
          Every visit ended in an error or a redirect. <ReportLink to="failures">See the failures</ReportLink>
        </>
      ) : (
        `AI bots read only ${kind === 'file' ? 'pages' : 'files'}.`
      )}
    </EmptyState>
  );
}
