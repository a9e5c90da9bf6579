import { useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { IconInfo } from '../../parts/icons.tsx';
import { useProperty } from '../property/useProperty.ts';
import { useSession } from '../session/useSession.ts';
import { DocsLink } from './DocsLink.tsx';
import { useOpenAlerts } from './open-alerts.ts';
import { docsAt } from './pages.tsx';

interface PageHeadProps {
  title: string;
  /** The title is a path. */
  isPath?: boolean;
  /** Title of the browser tab, when it differs. */
  tab?: string;
  about?: ReactNode;
  /** Beside the title where there is room: the days that the page is about. */
  beside?: ReactNode;
  /** On a phone, what the page is about is behind a button, so that its figures come first. */
  folds?: boolean;
  children?: ReactNode;
}

/** The title of a page, here and in the browser tab, with its actions and a link to the documentation that explains it. */
export function PageHead({
  title,
  isPath = false,
  tab = title,
  about,
  beside,
  folds = false,
  children,
}: PageHeadProps) {
  useTabTitle(tab);
  const [isOpen, setOpen] = useState(false);
  const aboutId = useId();
  const docs = useRouterState({ select: ({ location }) => docsAt(location.pathname) });
  return (
    <header className="page-head">
      <div className="page-title">
        <div className="page-name">
          <h1 className={isPath ? 'mono' : undefined}>{title}</h1>
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
    </header>
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
