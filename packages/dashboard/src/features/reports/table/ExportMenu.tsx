import { DropdownMenu } from 'radix-ui';
import { IconDownload } from '../../../parts/icons.tsx';
import { reportUrl } from '../api.ts';

interface ExportMenuProps {
  propertyId: string;
  report: string;
  query: Readonly<Record<string, string>>;
}

/** The whole list as a file, with the filters that are set. The service streams it; nothing is gathered here. */
export function ExportMenu({ propertyId, report, query }: ExportMenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="button">
        <IconDownload />
        Export
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end" sideOffset={6} collisionPadding={12}>
          <DropdownMenu.Label className="menu-label">Every row, with these filters</DropdownMenu.Label>
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
