import { Link, useRouterState } from '@tanstack/react-router';
import { DropdownMenu } from 'radix-ui';
import { useState } from 'react';
import type { Property } from '../../api/types.ts';
import { useAnnounce } from '../../parts/Announcer.tsx';
import { copyText } from '../../parts/CopyButton.tsx';
import { IconSend } from '../../parts/icons.tsx';
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
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger className="button">
          <IconSend />
          {copied ? 'Copied' : 'Share'}
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className="menu" align="end" sideOffset={6} collisionPadding={12}>
            <DropdownMenu.Label className="menu-label">This view, with its period</DropdownMenu.Label>
            <DropdownMenu.Item className="menu-item" onSelect={() => void copy()}>
              Copy link, for members
            </DropdownMenu.Item>
            {mayChange && isSharedPage(page) && (
              <DropdownMenu.Item className="menu-item" onSelect={() => setOpen(true)}>
                Share without an account…
              </DropdownMenu.Item>
            )}
            <DropdownMenu.Item className="menu-item" asChild>
              <Link to="/p/$propertyId/sharing" params={{ propertyId: property.id }}>
                Mails and links
              </Link>
            </DropdownMenu.Item>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      {open && (
        <ShareLinkDialog property={property} view={`/${page}${searchStr}`} onClose={() => setOpen(false)} />
      )}
    </>
  );
}
