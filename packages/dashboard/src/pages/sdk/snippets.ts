/** What a site takes into its pages, with every value filled in. The script's own text comes from the SDK, which knows what it answers to. */
import { snippet } from '../../../../sdk/src/snippet.ts';
import type { ConsentWay, Form } from './search.ts';

export interface SdkValues {
  readonly attributionId: string;
  /** Without a trailing slash. */
  readonly endpoint: string;
}

const GRANTED = 'consent: { analytics: true, advertising: true }';

/** @param consent only what was agreed to before the first page stands in the page's own code */
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

export const INSTALL_COMMAND = 'npm install @ghostlight/sdk';

/** What a page calls the SDK by. */
function caller(form: Form, name: string): { head: string; call: string } {
  return form === 'script'
    ? { head: '', call: `ghostlight.${name}` }
    : { head: `import { ${name} } from '@ghostlight/sdk';\n\n`, call: name };
}

/** Null where the page's own code has said it already. */
export function consentSnippet(form: Form, consent: ConsentWay): string | null {
  const { head, call } = caller(form, 'setConsent');
  if (consent === 'granted') return null;
  if (consent === 'asked') {
    return `${head}document.querySelector('#accept-cookies').addEventListener('click', () => {\n  ${call}({ analytics: true, advertising: true });\n});\n`;
  }
  return [
    `${head}// At each page and at each change, with the words of your consent tool`,
    "addEventListener('consent-changed', ({ detail }) => {",
    `  ${call}({`,
    "    analytics: detail.categories.includes('statistics'),",
    "    advertising: detail.categories.includes('marketing'),",
    '  });',
    '});',
    '',
  ].join('\n');
}

/** In the page: the visitor's id goes along with the order. */
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
