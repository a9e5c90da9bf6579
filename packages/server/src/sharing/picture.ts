/** A chart as an SVG picture of its own: for pages that embed it. No script, no font, no address in it; every text is escaped. */

export interface PictureDay {
  readonly day: string;
  readonly hits: number;
}

export interface Picture {
  /** Whose chart: a domain. */
  readonly subject: string;
  /** `AI bot visits, last 30 days`. */
  readonly title: string;
  /** Which visits are counted: `verified and unknown`. */
  readonly population: string;
  /** Days with visits that were dropped over the quota: the figure is too low. */
  readonly overQuota: number;
  readonly total: number;
  readonly days: readonly PictureDay[];
  readonly theme: 'light' | 'dark';
}

const THEMES = {
  light: { paper: '#ffffff', line: '#ddd6cb', ink: '#2b2622', quiet: '#6d645a', bar: '#b9741c' },
  dark: { paper: '#1d1a17', line: '#3a342e', ink: '#f2ede6', quiet: '#a89d90', bar: '#e0a34a' },
} as const;
const FONT = 'font-family="ui-sans-serif,system-ui,-apple-system,Segoe UI,Roboto,sans-serif"';
const SIZE = { width: 300, height: 84 } as const;
const BARS = { left: 14, right: 286, top: 44, ground: 66 } as const;

/** 300 × 84 pixels: a figure, its days as bars, and what is counted. */
export function badge({ subject, title, population, overQuota, total, days, theme }: Picture): string {
  const { paper, line, ink, quiet, bar } = THEMES[theme];
  const most = Math.max(1, ...days.map(({ hits }) => hits));
  const room = (BARS.right - BARS.left) / Math.max(1, days.length);
  const bars = days.map(({ hits }, index) => {
    const height = (hits / most) * (BARS.ground - BARS.top);
    const x = BARS.left + index * room;
    return `<rect x="${x.toFixed(1)}" y="${(BARS.ground - height).toFixed(1)}" width="${Math.max(0.6, room * 0.76).toFixed(1)}" height="${height.toFixed(1)}"/>`;
  });
  const told = `${total.toLocaleString('en')} ${title} on ${subject}. Counted: ${population} visits.${
    overQuota === 0
      ? ''
      : ` The quota was reached on ${overQuota} ${overQuota === 1 ? 'day' : 'days'}: visits dropped after that are missing.`
  }`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE.width}" height="${SIZE.height}" viewBox="0 0 ${SIZE.width} ${SIZE.height}" role="img" aria-label="${escaped(told)}">
<title>${escaped(told)}</title>
<rect x="0.5" y="0.5" width="${SIZE.width - 1}" height="${SIZE.height - 1}" rx="9" fill="${paper}" stroke="${line}"/>
<text x="14" y="29" ${FONT} font-size="20" font-weight="600" fill="${ink}">${total.toLocaleString('en')}</text>
<text x="286" y="21" ${FONT} font-size="11" fill="${quiet}" text-anchor="end">${escaped(cut(title, 38))}</text>
<text x="286" y="34" ${FONT} font-size="10" fill="${quiet}" text-anchor="end">${escaped(cut(subject, 38))}</text>
<g fill="${bar}">${bars.join('')}</g>
<text x="14" y="78" ${FONT} font-size="8.5" fill="${quiet}">${escaped(population)} visits · ${overQuota === 0 ? 'days of ' : ''}${escaped(days[0]?.day ?? '')} to ${escaped(days.at(-1)?.day ?? '')}${overQuota === 0 ? '' : ' · quota reached'}</text>
</svg>
`;
}

const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text;

const SIGNS: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
/** Text in markup: what XML has no place for is left out. */
export const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (sign) => SIGNS[sign] ?? '').replaceAll(/\p{Cc}/gu, ' ');
