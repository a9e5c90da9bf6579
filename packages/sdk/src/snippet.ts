/** What a site pastes into its pages: loads the script without blocking, and keeps the calls that are made meanwhile. */

import type { Options } from './api.ts';

/** Shown to people: readable, and in the JavaScript of any browser. */
const STUB = `(function (w, d, src) {
  var g = (w.ghostlight = w.ghostlight || {}), q = (g.q = g.q || []), late;
  function settle(call) { var done = call[2]; if (late) done(call[0] === 'ready' ? g : ''); }
  function giveUp() { if (!g.version) { late = true; q.forEach(settle); } }
  'init page track identify getVisitorId getSessionId getAttribution setConsent getConsent reset ready'
    .split(' ').forEach(function (name) {
      g[name] = g[name] || function () {
        var args = arguments;
        return new Promise(function (done) {
          var call = [name, args, done];
          if (g.q.length > 99) done(''); else { g.q.push(call); settle(call); }
        });
      };
    });
  try {
    src = w.trustedTypes.createPolicy('ghostlight', { createScriptURL: function () { return src; } }).createScriptURL('');
  } catch (e) {}
  try {
    var s = d.createElement('script');
    s.async = true;
    s.onload = s.onerror = giveUp;
    s.src = src;
    d.head.appendChild(s);
    setTimeout(giveUp, 3000);
  } catch (e) { giveUp(); }
})`;

/**
 * Until the script is there each call answers with a promise of its result, so that `await ghostlight.getVisitorId()` works at any time. No checkout
 * waits for ever: the promises settle with `''` when a blocker refuses the script or serves an empty one, when a policy of the page (Trusted Types)
 * forbids it, and after three seconds in any case. Queued calls are still made when the script comes later.
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
