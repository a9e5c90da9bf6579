import { DropdownMenu } from 'radix-ui';
import { IconDownload } from '../../../parts/icons.tsx';
import { reportUrl } from '../api.ts';

interface ExportMenuProps {
  propertyId: string;
  report: string;
  query: Readonly<Record<string, string>>;
}

/** Downloads the whole list with the current filters. The service streams the file. */
export function ExportMenu({ propertyId, report, query }: ExportMenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="button">
        <IconDownload />
        Export
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end" sideOffset={6} collisionPadding={12}>
          <DropdownMenu.Label className="menu-label">All rows, with these filters</DropdownMenu.Label>
          {(['csv', 'ndjson'] as const).map((format) => (
            <DropdownMenu.Item key={format} className="menu-item" asChild>
              <a
                href={reportUrl(propertyId, report, { ...query, format })}
                download={`${report.replace('/', '-')}.${format}`}
              >
                {format.toUpperCase()}
              </a>
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
