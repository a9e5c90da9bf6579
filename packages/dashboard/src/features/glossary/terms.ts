/** The terms of docs/glossary.md, which is their one home. Loaded when the first one is asked for. */
import source from '../../../../../docs/glossary.md?raw';

/** The first paragraph of each section, by its heading in lower case. */
export function readTerms(markdown: string): ReadonlyMap<string, string> {
  return new Map(
    markdown
      .split(/^## /m)
      .slice(1)
      .map((section) => {
        const [heading = '', ...rest] = section.split('\n');
        const [paragraph = ''] = rest
          .join('\n')
          .trim()
          .split(/\n\s*\n/);
        return [heading.trim().toLowerCase(), plain(paragraph)];
      }),
  );
}

const TERMS = readTerms(source);

/** Empty for a term that the glossary has not. */
export function definitionOf(term: string): string {
  return TERMS.get(term.toLowerCase()) ?? '';
}

function plain(markdown: string): string {
  return markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*`]/g, '')
    .replaceAll(/\s+/g, ' ');
}
