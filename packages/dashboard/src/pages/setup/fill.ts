/** Fills in the templates of a source's setup: `{{base_url}}`, `{{attribution_id}}`, `{{domain}}`, `{{key}}`, with the quoting that they name. */
import { shellQuote } from '../../format/visible.ts';
import { KEY_PLACEHOLDER, type SnippetValues } from './snippets.ts';

const QUOTES: Readonly<Record<string, (text: string) => string>> = {
  url: encodeURIComponent,
  json: (text) => JSON.stringify(text).slice(1, -1),
  shell: shellQuote,
  host: (text) => URL.parse(text)?.hostname ?? text,
  port: portOf,
};

/** Unknown names stay as they are. */
export function fill(template: string, { baseUrl, propertyId, domain, key }: SnippetValues): string {
  const values: Readonly<Record<string, string>> = {
    base_url: baseUrl,
    attribution_id: propertyId,
    domain,
    key: key ?? KEY_PLACEHOLDER,
  };
  return template.replace(/\{\{(\w+)(?:\|(\w+))?\}\}/g, (whole, name: string, how: string | undefined) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    const quote = how === undefined ? (text: string) => text : QUOTES[how];
    return value === undefined || quote === undefined ? whole : quote(value);
  });
}

function portOf(text: string): string {
  const { port = '', protocol = '' } = URL.parse(text) ?? {};
  return port || (protocol === 'http:' ? '80' : '443');
}
