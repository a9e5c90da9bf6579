/** A chart as files: its figures as CSV, and a picture with title, period, population and legend, drawn by the browser. */
import type { ChartFacts } from './facts.ts';

export interface ChartTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** Each line ends with what it counts, as the files of reports do. */
export function csvOf({ head, rows }: ChartTable, facts: ChartFacts | null): string {
  const more = facts === null ? [] : ['Counts', 'Time zone'];
  const said = facts === null ? [] : [facts.population, facts.timeZone];
  return `${[[...head, ...more], ...rows.map((row) => [...row, ...said])]
    .map((row) => row.map(cell).join(','))
    .join('\r\n')}\r\n`;
}

const NUMBER = /^-?\d+(?:\.\d+)?$/;

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  // A sheet would take it for a formula: names of engines come from outside. A negative number is none.
  const text = /^[=+\-@\t\r]/.test(value) && !NUMBER.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export interface PictureLegend {
  readonly name: string;
  readonly colour: string;
  readonly form: 'filled' | 'line' | 'striped';
}

export interface PictureOf {
  readonly svg: SVGSVGElement;
  readonly title: string;
  readonly facts: ChartFacts | null;
  readonly legend: readonly PictureLegend[];
}

const MARGIN = 24;
const SCALE = 2;
/** What the page's styles give to shapes and texts, as attributes: an SVG by itself has no page. */
const STYLES = [
  ...(['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'opacity'] as const),
  ...(['font-size', 'font-family', 'font-weight', 'text-anchor'] as const),
];

/** In the colours of the page as it is. @throws Error where the browser draws nothing */
export async function pictureOf({ svg, title, facts, legend }: PictureOf): Promise<Blob> {
  const { width, height } = svg.getBoundingClientRect();
  const page = getComputedStyle(document.body);
  const lines = facts === null ? [] : [`${facts.subject} · ${facts.period}`, facts.population];
  const head = MARGIN + 26 + lines.length * 18 + 10;
  const canvas = document.createElement('canvas');
  const pen = canvas.getContext('2d');
  if (pen === null) throw new Error('No canvas');
  const font = (size: number, weight = 400) => `${weight} ${size}px ${page.fontFamily}`;
  pen.font = font(12);
  const places = laidOut(legend, width, (text) => pen.measureText(text).width);
  const rows = places.at(-1)?.row ?? -1;
  canvas.width = (width + 2 * MARGIN) * SCALE;
  canvas.height = (head + height + 12 + (rows + 1) * 20 + MARGIN) * SCALE;
  pen.scale(SCALE, SCALE);
  pen.fillStyle = surfaceOf(svg);
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.textBaseline = 'top';
  pen.fillStyle = page.color;
  pen.font = font(17, 600);
  pen.fillText(title, MARGIN, MARGIN);
  pen.font = font(12);
  pen.globalAlpha = 0.75;
  for (const [index, line] of lines.entries()) pen.fillText(line, MARGIN, MARGIN + 27 + index * 18, width);
  pen.globalAlpha = 1;
  // The date of the last bar may be beyond the chart.
  pen.drawImage(await imageOf(svg, width + MARGIN, height), MARGIN, head, width + MARGIN, height);
  for (const { entry, x, row } of places) {
    const [left, top] = [MARGIN + x, head + height + 12 + row * 20];
    pen.fillStyle = entry.colour;
    pen.strokeStyle = entry.colour;
    pen.lineWidth = entry.form === 'line' ? 1.5 : 1;
    if (entry.form === 'filled') pen.fillRect(left, top + 2, 10, 10);
    else pen.stroke(new Path2D(SIGNS[entry.form](left, top)));
    pen.fillStyle = page.color;
    pen.fillText(entry.name, left + (entry.form === 'line' ? 22 : 16), top);
  }
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
  if (blob === null) throw new Error('No picture');
  return blob;
}

/** What is no square of one colour. */
const SIGNS = {
  line: (x: number, y: number) => `M${x} ${y + 7}h16`,
  striped: (x: number, y: number) =>
    `M${x} ${y + 2}h10v10h-10zM${x} ${y + 7}l5-5M${x} ${y + 12}l10-10M${x + 5} ${y + 12}l5-5`,
} as const;

/** Entries side by side, in as many rows as they need. */
function laidOut(legend: readonly PictureLegend[], width: number, measure: (text: string) => number) {
  let [x, row] = [0, 0];
  return legend.map((entry) => {
    const wide = measure(entry.name) + 40;
    if (x > 0 && x + wide > width) [x, row] = [0, row + 1];
    const place = { entry, x, row };
    x += wide;
    return place;
  });
}

/** The nearest opaque background. */
function surfaceOf(element: Element): string {
  for (let at: Element | null = element; at !== null; at = at.parentElement) {
    const { backgroundColor } = getComputedStyle(at);
    if (!/rgba\([^)]*, 0\)|transparent/.test(backgroundColor)) return backgroundColor;
  }
  return '#ffffff';
}

/** The SVG as an image of its own. As a data address: the page's policy loads no other picture. */
async function imageOf(svg: SVGSVGElement, width: number, height: number): Promise<HTMLImageElement> {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const [ours, theirs] = [svg.querySelectorAll('*'), copy.querySelectorAll('*')];
  for (const [index, element] of [...ours].entries()) {
    const style = getComputedStyle(element);
    for (const name of STYLES) theirs[index]?.setAttribute(name, style.getPropertyValue(name));
  }
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();
  return image;
}
