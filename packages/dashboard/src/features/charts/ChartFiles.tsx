import { type RefObject, useContext } from 'react';
import { useAnnounce } from '../../parts/Announcer.tsx';
import { FileForm, FileMenu } from './FileMenu.tsx';
import { ChartFactsContext } from './facts.ts';
import type { ChartTable, PictureLegend } from './files.ts';
import { saveBlob } from './save.ts';

/** The paint of what is in progress. */
export const STRIPES = 'stripes';

interface ChartFilesProps {
  /** `AI bot visits per day`. */
  title: string;
  /** The element that holds the chart's `<svg>`; left out where there is none to draw. */
  box?: RefObject<HTMLElement | null>;
  table: () => ChartTable;
  /** Names of the series, with the paint that their colour is read from; `null`: the line of the days compared with; `STRIPES`: a bar in progress. */
  legend?: readonly { readonly name: string; readonly paint: string | null }[];
}

/** The chart as a picture and its figures as a file. The code for both is loaded when it is asked for. */
export function ChartFiles({ title, box, table, legend = [] }: ChartFilesProps) {
  const facts = useContext(ChartFactsContext);
  const announce = useAnnounce();
  const { from, to } = facts?.days ?? { from: '', to: '' };
  const name = [...(facts === null ? [] : [facts.subject]), title, from, ...(to > from ? ['to', to] : [])]
    .filter((part) => part !== '')
    .join('-')
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]+/g, '-');
  const save = async (form: 'png' | 'csv') => {
    try {
      const { csvOf, pictureOf } = await import('./files.ts');
      const svg = box?.current?.querySelector('svg') ?? null;
      if (form === 'csv')
        saveBlob(new Blob([csvOf(table(), facts)], { type: 'text/csv;charset=utf-8' }), `${name}.csv`);
      else if (svg !== null)
        saveBlob(
          await pictureOf({ svg, title, facts, legend: legend.map((one) => coloured(svg, one)) }),
          `${name}.png`,
        );
    } catch {
      announce('The file could not be created');
    }
  };
  const forms = box === undefined ? (['csv'] as const) : (['png', 'csv'] as const);
  return (
    <FileMenu what={title}>
      {(menu) =>
        forms.map((form) => (
          <menu.Item key={form} className="menu-item" onSelect={() => void save(form)}>
            <FileForm form={form} />
          </menu.Item>
        ))
      }
    </FileMenu>
  );
}

/** The colours are the page's, light or dark. */
function coloured(
  svg: SVGSVGElement,
  { name, paint }: { readonly name: string; readonly paint: string | null },
): PictureLegend {
  if (paint === STRIPES) return { name, colour: getComputedStyle(svg).color, form: 'striped' };
  const found =
    paint === null
      ? svg.querySelector('.chart-before')
      : [...svg.querySelectorAll('[data-paint]')].find((one) => one.getAttribute('data-paint') === paint);
  const style = found == null ? null : getComputedStyle(found);
  return paint === null
    ? { name, colour: style?.stroke ?? '#888', form: 'line' }
    : { name, colour: style?.fill ?? '#888', form: 'filled' };
}
