import { DropdownMenu } from 'radix-ui';
import { exportUrl } from '../api/client.ts';
import { IconDownload } from '../parts/icons.tsx';
import type { LiveFilters } from './filters.ts';

const DAY_MS = 86_400_000;

/** Stored hits of the last day, as a file. The service streams it; nothing is gathered here. */
export function ExportMenu({ propertyId, filters }: { propertyId: string; filters: LiveFilters }) {
  const href = (format: 'csv' | 'ndjson') => {
    const now = Date.now();
    return exportUrl(propertyId, {
      from: new Date(now - DAY_MS).toISOString(),
      to: new Date(now).toISOString(),
      format,
      ...(filters.class === undefined || filters.class === 'event' ? {} : { class: filters.class }),
    });
  };
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="button">
        <IconDownload />
        Export
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end" sideOffset={6} collisionPadding={12}>
          <DropdownMenu.Label className="menu-label">Stored hits, last 24 hours</DropdownMenu.Label>
          {(['csv', 'ndjson'] as const).map((format) => (
            <DropdownMenu.Item key={format} className="menu-item" asChild>
              <a href={href(format)} download={`hits.${format}`}>
                {format.toUpperCase()}
              </a>
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
