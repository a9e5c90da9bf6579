import { DAY_MS } from '@ghostlight/core/time';
import { type StoredKind, storedUrl } from '../../api/client.ts';
import { CLASS_NAMES } from '../../format/names.ts';
import { IconDownload } from '../../parts/icons.tsx';
import { ExportButton } from '../../parts/overlays/ExportButton.tsx';
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
    <ExportButton title="Export" detail="Stored in the last 24 hours">
      {(menu) =>
        (
          [
            ['hits', hits],
            ['events', 'Browser events'],
          ] as const
        ).flatMap(([kind, name]) =>
          (['csv', 'ndjson'] as const).map((format) => (
            <menu.Item key={`${kind}.${format}`} className="menu-item" asChild>
              <a href={href(kind, format)} download={`${kind}.${format}`}>
                <IconDownload />
                <span className="menu-item-text">
                  {name} as {format.toUpperCase()}
                </span>
              </a>
            </menu.Item>
          )),
        )
      }
    </ExportButton>
  );
}
