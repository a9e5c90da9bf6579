import { DAY_MS } from '@ghostlight/core/time';
import { DropdownMenu } from 'radix-ui';
import { type StoredKind, storedUrl } from '../../api/client.ts';
import { CLASS_NAMES } from '../../format/names.ts';
import { IconDownload } from '../../parts/icons.tsx';
import type { LiveFilters } from './search.ts';

interface ExportMenuProps {
  propertyId: string;
  filters: Pick<LiveFilters, 'class'>;
}

/** Downloads of the last 24 hours: hits, and browser events, which have other columns. The service streams the files. */
export function ExportMenu({ propertyId, filters }: ExportMenuProps) {
  const hitClass = filters.class === 'event' ? undefined : filters.class;
  const href = (kind: StoredKind, format: string) => {
    const now = Date.now();
    return storedUrl(propertyId, kind, {
      from: new Date(now - DAY_MS).toISOString(),
      to: new Date(now).toISOString(),
      format,
      ...(kind === 'hits' && hitClass !== undefined ? { class: hitClass } : {}),
    });
  };
  const hits = hitClass === undefined ? 'Hits' : `${CLASS_NAMES[hitClass]} hits`;
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="button">
        <IconDownload />
        <span className="action-word">Export</span>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end" sideOffset={6} collisionPadding={12}>
          <DropdownMenu.Label className="menu-label">Stored in the last 24 hours</DropdownMenu.Label>
          {(
            [
              ['hits', hits],
              ['events', 'Browser events'],
            ] as const
          ).flatMap(([kind, name]) =>
            (['csv', 'ndjson'] as const).map((format) => (
              <DropdownMenu.Item key={`${kind}.${format}`} className="menu-item" asChild>
                <a href={href(kind, format)} download={`${kind}.${format}`}>
                  {name} as {format.toUpperCase()}
                </a>
              </DropdownMenu.Item>
            )),
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
