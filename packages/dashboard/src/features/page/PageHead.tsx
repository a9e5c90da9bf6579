import { useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { IconInfo } from '../../parts/icons.tsx';
import { useProperty } from '../property/useProperty.ts';
import { ReadOnlyNote } from '../session/RequirePermission.tsx';
import { useSession } from '../session/useSession.ts';
import { DocsLink } from './DocsLink.tsx';
import { useOpenAlerts } from './open-alerts.ts';
import { docsAt, pageAt } from './pages.tsx';
import { SectionTabs } from './SectionTabs.tsx';

interface PageHeadProps {
  title: string;
  /** The title is a path. */
  isPath?: boolean;
  /** Before the title. */
  mark?: ReactNode;
  /** Title of the browser tab, when it differs. */
  tab?: string;
  /** Above the title of one of a list: the way back to the list, instead of tabs. */
  back?: ReactNode;
  about?: ReactNode;
  /** Beside the title where there is room: the days that the page is about. */
  beside?: ReactNode;
  /** On a phone, what the page is about is behind a button, so that its figures come first. */
  folds?: boolean;
  /** The views of the page, where its section has no other page; those have the same place. */
  tabs?: ReactNode;
  children?: ReactNode;
}

/** The head of every page: title with actions and a link to its documentation, what it is about, then tabs. A phone has the actions last. */
export function PageHead({
  title,
  isPath = false,
  mark,
  tab = title,
  back,
  about,
  beside,
  folds = false,
  tabs,
  children,
}: PageHeadProps) {
  useTabTitle(tab);
  const [isOpen, setOpen] = useState(false);
  const aboutId = useId();
  // Of the page that is shown: while the next one loads, the location is the next one's.
  const path = useRouterState({ select: ({ matches }) => matches.at(-1)?.pathname ?? '' });
  const docs = docsAt(path);
  const page = pageAt(path);
  return (
    <>
      <header className="page-head">
        {back}
        <div className="page-title">
          <div className="page-name">
            <h1 className={isPath ? 'mono' : undefined}>
              {mark}
              {title}
            </h1>
            {beside}
          </div>
          {about !== undefined && folds && (
            <button
              type="button"
              className="about-button"
              aria-label="About this report"
              aria-expanded={isOpen}
              aria-controls={aboutId}
              onClick={() => setOpen(!isOpen)}
            >
              <IconInfo />
            </button>
          )}
          {about !== undefined && (
            <p id={aboutId} className="page-about" data-folded={folds && !isOpen}>
              {about}
            </p>
          )}
        </div>
        {(children !== undefined || docs !== undefined) && (
          <div className="page-actions">
            {docs !== undefined && <DocsLink to={docs} />}
            {children}
          </div>
        )}
        {tabs ?? (!back && <SectionTabs here={page?.name} />)}
      </header>
      {page?.changes === true && <ReadOnlyNote />}
    </>
  );
}

/** `(1) Bots · shop.example · Ghostlight`: identifies the tab, and shows open alerts in every tab. */
function useTabTitle(page: string): void {
  const property = useProperty();
  const { organization } = useSession();
  const alerts = useOpenAlerts(property?.id ?? null);
  const place = property?.domain ?? organization?.name;
  useEffect(() => {
    const names = [page, place, 'Ghostlight'].filter((name) => name !== undefined).join(' · ');
    document.title = alerts === 0 ? names : `(${alerts}) ${names}`;
  }, [page, place, alerts]);
}
