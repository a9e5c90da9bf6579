/** The code for a site's pages, with every value filled in. The script's text comes from the SDK package. */
import { snippet } from '../../../../sdk/src/snippet.ts';
import type { ConsentWay, Form } from './search.ts';

export interface SdkValues {
  readonly attributionId: string;
  /** Without a trailing slash. */
  readonly endpoint: string;
}

const GRANTED = 'consent: { analytics: true, advertising: true }';

/** @param consent `granted` is included in the page's code */
export function installSnippet(form: Form, consent: ConsentWay, values: SdkValues): string {
  if (form === 'script') {
    const text = snippet(values);
    return consent === 'granted'
      ? text.replace(/\n\}\);\n<\/script>/, `,\n  ${GRANTED}\n});\n</script>`)
      : text;
  }
  return [
    "import { init } from '@ghostlight/sdk';",
    '',
    'init({',
    `  attributionId: ${JSON.stringify(values.attributionId)},`,
    `  endpoint: ${JSON.stringify(values.endpoint)},`,
    ...(consent === 'granted' ? [`  ${GRANTED},`] : []),
    '});',
    '',
  ].join('\n');
}

/** The lines of the script tag that only load the SDK: all between its first two and the one with its address. */
export function loaderLines(code: string): { from: number; to: number } {
  const to = code.split('\n').findIndex((line) => line.startsWith('})('));
  return { from: Math.min(2, Math.max(0, to)), to: Math.max(0, to) };
}

export const INSTALL_COMMAND = 'npm install @ghostlight/sdk';

/** How a page refers to the SDK. */
function caller(form: Form, name: string): { head: string; call: string } {
  return form === 'script'
    ? { head: '', call: `ghostlight.${name}` }
    : { head: `import { ${name} } from '@ghostlight/sdk';\n\n`, call: name };
}

/** Null when the page's code already includes the consent. */
export function consentSnippet(form: Form, consent: ConsentWay): string | null {
  const { head, call } = caller(form, 'setConsent');
  if (consent === 'granted') return null;
  if (consent === 'asked') {
    return `${head}document.querySelector('#accept-cookies').addEventListener('click', () => {\n  ${call}({ analytics: true, advertising: true });\n});\n`;
  }
  return [
    `${head}// On each page and each change, with the categories of your consent tool`,
    "addEventListener('consent-changed', ({ detail }) => {",
    `  ${call}({`,
    "    analytics: detail.categories.includes('statistics'),",
    "    advertising: detail.categories.includes('marketing'),",
    '  });',
    '});',
    '',
  ].join('\n');
}

/** In the page: sends the visitor id with the order. */
export function visitorSnippet(form: Form): string {
  const { head, call } = caller(form, 'getVisitorId');
  return [
    `${head}await fetch('/checkout', {`,
    "  method: 'POST',",
    "  headers: { 'Content-Type': 'application/json' },",
    '  body: JSON.stringify({',
    '    cart,',
    `    visitor_id: await ${call}(),`,
    '  }),',
    '});',
    '',
  ].join('\n');
}

/** On the server, once the order is paid. @param url the purchase topic's address */
export function serverSnippet(url: string): string {
  return [
    '// Once the order is paid',
    `await fetch(${JSON.stringify(url)}, {`,
    "  method: 'POST',",
    '  headers: {',
    "    Authorization: 'Bearer ' + process.env.GHOSTLIGHT_WEBHOOK_KEY,",
    "    'Content-Type': 'application/json',",
    '  },',
    '  body: JSON.stringify({',
    '    conversion_id: order.id,',
    '    visitor_id: order.visitor_id,',
    '    value: order.total,',
    '    currency: order.currency,',
    '    user_data: { email: order.email },',
    '  }),',
    '});',
    '',
  ].join('\n');
}
