import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { fillTemplate, homePage, readSite, searchIndex } from './site.ts';

/** Vite's name of the page that all pages of the documentation are made from. */
const TEMPLATE = 'docs.html';

/** Writes the documentation beside the dashboard: `docs/index.html`, a page for each file, `docs/search.json`, and `docs/404.html`. */
export const documentation: Plugin = {
  name: 'documentation',
  enforce: 'post',
  generateBundle(_options, bundle) {
    const built = bundle[TEMPLATE];
    if (built?.type !== 'asset') throw new Error(`Vite built no ${TEMPLATE}.`);
    const template = String(built.source);
    delete bundle[TEMPLATE];
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    const site = readSite();
    const emit = (fileName: string, source: string | Uint8Array) =>
      this.emitFile({ type: 'asset', fileName: `docs/${fileName}`, source });
    emit('index.html', fillTemplate(template, site, homePage(site.pages), version));
    emit('404.html', fillTemplate(template, site, null, version));
    for (const page of site.pages) emit(`${page.path}.html`, fillTemplate(template, site, page, version));
    for (const [path, picture] of site.pictures) emit(path, picture);
    emit('search.json', searchIndex(site.pages));
  },
};
