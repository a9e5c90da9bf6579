import { useQueryClient } from '@tanstack/react-query';
import { fetchFile } from '../../../api/client.ts';
import { counted } from '../../../format/names.ts';
import { rangeLabel } from '../../../format/period.ts';
import { ExportButton } from '../../../parts/overlays/ExportButton.tsx';
import type { MenuParts } from '../../../parts/overlays/Menu.tsx';
import { FileForm } from '../../charts/FileMenu.tsx';
import { saveBlob } from '../../charts/save.ts';
import { useShared } from '../../session/shared.ts';
import { reportQuery, reportUrl } from '../api.ts';
import { isFiltered } from '../search.ts';

interface ExportMenuProps {
  propertyId: string;
  report: string;
  query: Readonly<Record<string, string>>;
  /** The columns that the reader sees, in their order; left out: the list has no columns to choose. */
  columns?: readonly string[];
  /** What its rows are; left out: they are counted. */
  rows?: string | undefined;
  /** What the file has besides. */
  besides?: string | undefined;
  /** There is nothing to export. */
  disabled?: boolean;
}

/** Downloads the whole list with the current filters. The service streams the file. */
export function ExportMenu({
  propertyId,
  report,
  query,
  columns,
  rows: named,
  besides,
  disabled = false,
}: ExportMenuProps) {
  // The page has asked for the same list.
  const total = useQueryClient().getQueryData<{ total?: number }>(
    reportQuery(propertyId, report as 'bots', query).queryKey,
  )?.total;
  const rows = named ?? (total === undefined ? 'all rows' : counted(total, 'row'));
  const { from, to } = query;
  const shown = columns === undefined ? null : { ...query, columns: columns.join(',') };
  const detail = [
    ...(from === undefined || to === undefined ? [] : [rangeLabel({ from, to })]),
    ...(isFiltered(query) ? ['current filters'] : []),
    ...(besides === undefined ? [] : [`plus ${besides}`]),
  ].join(', ');
  return (
    <ExportButton title={`Export ${rows}`} detail={detail} disabled={disabled}>
      {(menu) => (
        <>
          {shown !== null && (
            <>
              <menu.Label className="menu-label">These columns</menu.Label>
              <Files {...{ menu, propertyId, report }} query={shown} />
              <menu.Label className="menu-label">All columns</menu.Label>
            </>
          )}
          <Files {...{ menu, propertyId, report, query }} />
        </>
      )}
    </ExportButton>
  );
}

interface FilesProps extends Pick<ExportMenuProps, 'propertyId' | 'report' | 'query'> {
  menu: MenuParts;
}

function Files({ menu, propertyId, report, query }: FilesProps) {
  const shared = useShared();
  return (['csv', 'ndjson'] as const).map((format) => (
    <menu.Item key={format} className="menu-item" asChild>
      <a
        href={reportUrl(propertyId, report, { ...query, format })}
        download={`${report.replace('/', '-')}.${format}`}
        onClick={(event) => {
          if (shared === null) return;
          // The reader of a share link has a token, which a link would not send.
          event.preventDefault();
          const address = reportUrl(propertyId, report, { ...query, format });
          void fetchFile(address).then((file) => saveBlob(file, `${report.replace('/', '-')}.${format}`));
        }}
      >
        <FileForm form={format} />
      </a>
    </menu.Item>
  ));
}
