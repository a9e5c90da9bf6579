import { Link, useRouterState } from '@tanstack/react-router';
import { useState } from 'react';
import type { Property } from '../../api/types.ts';
import { copyText } from '../../format/copy-text.ts';
import { useAnnounce } from '../../parts/Announcer.tsx';
import { IconCopy, IconPlus, IconSend, IconSettings } from '../../parts/icons.tsx';
import { Menu } from '../../parts/overlays/Menu.tsx';
import type { FilteredPage } from '../reports/search.ts';
import { isSharedPage, useShared } from '../session/shared.ts';
import { useMay } from '../session/useSession.ts';
import { ShareLinkDialog } from './ShareLinkDialog.tsx';

const SHOWN_MS = 1_800;

/** Hands on the view that is open: its address, a link for readers without an account, a mail. */
export function ShareMenu({ property }: { property: Property }) {
  const announce = useAnnounce();
  const shared = useShared();
  const mayChange = useMay('change');
  const [open, setOpen] = useState(false);
  const [copied, setCopied] = useState(false);
  const { pathname, searchStr } = useRouterState({ select: ({ location }) => location });
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
            <menu.Label className="menu-label">This view, with its period</menu.Label>
            <menu.Item className="menu-item" onSelect={() => void copy()}>
              <IconCopy />
              <span className="menu-item-text">
                <span>Copy link</span> <span className="menu-item-detail">members only</span>
              </span>
            </menu.Item>
            {mayChange && isSharedPage(page) && (
              <menu.Item className="menu-item" onSelect={() => setOpen(true)}>
                <IconPlus />
                <span className="menu-item-text">Create a public link…</span>
              </menu.Item>
            )}
            <menu.Separator className="menu-separator" />
            <menu.Item className="menu-item" asChild>
              <Link to="/p/$propertyId/sharing" params={{ propertyId: property.id }}>
                <IconSettings />
                <span className="menu-item-text">Scheduled reports and share links</span>
              </Link>
            </menu.Item>
          </>
        )}
      </Menu>
      {open && (
        <ShareLinkDialog property={property} view={`/${page}${searchStr}`} onClose={() => setOpen(false)} />
      )}
    </>
  );
}
