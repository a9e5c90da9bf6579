/** What a site pastes into its pages: loads the script without blocking, and keeps the calls that are made meanwhile. */

import type { Options } from './api.ts';

/** Shown to people: readable, and in the JavaScript of any browser. */
const STUB = `(function (w, d, src) {
  var g = (w.ghostlight = w.ghostlight || {}), q = (g.q = g.q || []);
  'init page track identify getVisitorId getSessionId getAttribution setConsent getConsent reset ready'.split(' ').forEach(function (name) {
    g[name] = g[name] || function () {
      var args = arguments;
      return new Promise(function (done) { g.q.length > 99 ? done('') : g.q.push([name, args, done]); });
    };
  });
  var s = d.createElement('script');
  s.async = true;
  s.src = src;
  s.onerror = function () {
    g.q = { push: function (call) { var done = call[2]; done(call[0] === 'ready' ? g : ''); } };
    q.forEach(g.q.push);
  };
  d.head.appendChild(s);
})`;

/**
 * Until the script is there each call answers with a promise of its result, so that `await ghostlight.getVisitorId()` works at any time. When
 * a blocker refuses the script the promises are kept with `''`: no checkout waits for ever.
 */
export function snippet(options: Pick<Options, 'attributionId' | 'endpoint' | 'credentials'>): string {
  const endpoint = options.endpoint.replace(/\/+$/, '');
  // `<` can't close the script element from within a string.
  const text = (value: string) => JSON.stringify(value).replaceAll('<', '\\u003c');
  return `<script>
${STUB}(window, document, ${text(`${endpoint}/sdk.js`)});
ghostlight.init({
  attributionId: ${text(options.attributionId)},
  endpoint: ${text(endpoint)}${options.credentials ? ",\n  credentials: 'include'" : ''}
});
</script>
`;
}
