import { Link, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { Property } from '../../api/types.ts';
import { copyText } from '../../format/copy-text.ts';
import { periodLabel, periodOf, readPeriod } from '../../format/period.ts';
import { useAnnounce } from '../../parts/Announcer.tsx';
import { IconCopy, IconSend } from '../../parts/icons.tsx';
import { Menu } from '../../parts/overlays/Menu.tsx';
import { useOrganizationName } from '../people/useOrganizationName.ts';
import type { FilteredPage } from '../reports/search.ts';
import { isSharedPage, useShared } from '../session/shared.ts';
import { useMay } from '../session/useSession.ts';
import { IconGlobe, IconLink, IconMail } from './icons.tsx';

/** Loaded when it is asked for: the menu is on the first view. */
const ShareLinkDialog = lazy(async () => ({
  default: (await import('./ShareLinkDialog.tsx')).ShareLinkDialog,
}));

const SHOWN_MS = 1_800;

/** Hands on the view that is open: its address, a link for readers without an account, a mail. */
export function ShareMenu({ property }: { property: Property }) {
  const announce = useAnnounce();
  const shared = useShared();
  const mayChange = useMay('change');
  const [open, setOpen] = useState(false);
  const [copied, setCopied] = useState(false);
  const { pathname, search, searchStr } = useRouterState({ select: ({ location }) => location });
  const page = (pathname.split('/')[3] ?? '') as FilteredPage;
  if (shared !== null) return null;
  const copy = async () => {
    const done = await copyText(window.location.href);
    announce(done ? 'Copied the link' : 'The link could not be copied; copy it from the address bar');
    setCopied(done);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return (
    <>
      <Menu
        className="button"
        title="Share this view"
        detail={periodLabel(periodOf(readPeriod(search), Date.now(), property.time_zone))}
        face={
          <>
            <IconSend />
            {copied ? 'Copied' : <span className="action-word">Share</span>}
          </>
        }
        align="end"
      >
        {(menu) => (
          <>
            <menu.Item className="menu-item" onSelect={() => void copy()}>
              <IconCopy />
              <span className="menu-item-text">
                <span>Copy link</span>{' '}
                <span className="menu-item-detail">
                  <Readers />
                </span>
              </span>
            </menu.Item>
            {mayChange && isSharedPage(page) && (
              <menu.Item className="menu-item" onSelect={() => setOpen(true)}>
                <IconGlobe />
                <span className="menu-item-text">
                  <span>Create a public link…</span>{' '}
                  <span className="menu-item-detail">Anyone with the link can view this page</span>
                </span>
              </menu.Item>
            )}
            <menu.Separator className="menu-separator" />
            <menu.Item className="menu-item" asChild>
              <Link to="/p/$propertyId/sharing" params={{ propertyId: property.id }}>
                <IconLink />
                <span className="menu-item-text">Manage share links</span>
              </Link>
            </menu.Item>
            <menu.Item className="menu-item" asChild>
              <Link to="/p/$propertyId/sharing" params={{ propertyId: property.id }} hash="mail">
                <IconMail />
                <span className="menu-item-text">Email reports…</span>
              </Link>
            </menu.Item>
          </>
        )}
      </Menu>
      {open && (
        <Suspense fallback={null}>
          <ShareLinkDialog property={property} view={`/${page}${searchStr}`} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

/** Who can open a copied address. */
function Readers() {
  const name = useOrganizationName();
  return name === null ? 'Only members can open it' : `Only members of ${name} can open it`;
}
