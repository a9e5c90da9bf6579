import type { Plugin } from 'vite';

/**
 * The styles of the whole dashboard before those of parts, which come with the chunk that pages share: they say in which order the layers
 * count. Vite puts what a page's own script brings last.
 */
export const stylesFirst: Plugin = {
  name: 'styles-first',
  transformIndexHtml: { order: 'post', handler: (html) => withStylesFirst(html) },
};

/** @param html with a link for each file of styles */
export function withStylesFirst(html: string): string {
  const first = /\n *<link rel="stylesheet"[^>]*\/assets\/styles-[^>]*>/.exec(html)?.[0];
  if (first === undefined) return html;
  return html.replace(first, '').replace(/\n *<link rel="stylesheet"/, (next) => first + next);
}
