import { DropdownMenu } from 'radix-ui';
import { fetchFile } from '../../../api/client.ts';
import { IconDownload } from '../../../parts/icons.tsx';
import { saveBlob } from '../../charts/save.ts';
import { useShared } from '../../session/shared.ts';
import { reportUrl } from '../api.ts';

interface ExportMenuProps {
  propertyId: string;
  report: string;
  query: Readonly<Record<string, string>>;
}

/** Downloads the whole list with the current filters. The service streams the file. */
export function ExportMenu({ propertyId, report, query }: ExportMenuProps) {
  const shared = useShared();
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
                onClick={(event) => {
                  if (shared === null) return;
                  // The reader of a share link has a token, which a link would not send.
                  event.preventDefault();
                  const address = reportUrl(propertyId, report, { ...query, format });
                  void fetchFile(address).then((file) =>
                    saveBlob(file, `${report.replace('/', '-')}.${format}`),
                  );
                }}
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
