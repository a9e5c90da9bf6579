import { OutOfReach } from '../../features/property/OutOfReach.tsx';
import { Snippet } from '../../features/property/Snippet.tsx';
import { CopyButton } from '../../parts/CopyButton.tsx';
import { Step } from '../../parts/Section.tsx';
import {
  BUNDLE_COMMANDS,
  DEPLOY_COMMANDS,
  type SnippetValues,
  workerConfiguration,
  workerVariables,
  zoneOf,
} from './snippets.ts';

export function WorkerPanel({ values }: { values: SnippetValues }) {
  const zone = zoneOf(values.domain);
  return (
    <>
      <Step number={2} title="Set the collector’s variables">
        <OutOfReach address={values.baseUrl} />
        <table className="variables" aria-label="Collector variables">
          <tbody>
            {workerVariables(values).map(({ name, value, kind, about }) => (
              <tr key={name}>
                <th scope="row">
                  <code>{name}</code>
                  {kind === 'secret' && <span className="tag">secret</span>}
                </th>
                <td>
                  <code className="break">{value}</code>
                  <p>{about}</p>
                </td>
                <td>
                  <CopyButton text={value} what={name} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <Snippet title="wrangler.jsonc" what="the worker configuration" code={workerConfiguration(values)} />
        <p className="aside">
          The complete file of <code>templates/collector</code>, a folder of Ghostlight’s repository that you
          copy. Optional: a KV namespace bound as <code>WEBMCP_CACHE</code> keeps the signed manifest at the
          edge.
        </p>
      </Step>
      <Step number={3} title="Deploy it in one of three ways">
        <p>
          <strong>From your machine</strong>, in your copy of the template with the file above. The check
          lists what is missing; the secret command asks for the key.
        </p>
        <Snippet title="Deploy" what="the deploy commands" code={DEPLOY_COMMANDS} />
        <p>
          <strong>From git</strong>: push that copy and let Workers Builds or your CI run{' '}
          <code>npm run deploy</code>. Set the secret once, as above. A weekly pull request updates versions.
        </p>
        <p>
          <strong>By pasting</strong> the bundled file into a Worker in Cloudflare’s editor, and setting
          variables and secret there. To upgrade, paste the newer file: variables, secrets, bindings and
          routes stay.
        </p>
        <Snippet title="The bundled file" wrap what="the bundle commands" code={BUNDLE_COMMANDS} />
      </Step>
      <Step number={4} title="Check its routes">
        <p>
          <strong>Both routes</strong> are needed: <code>{zone}/*</code> and <code>*.{zone}/*</code>. The
          second doesn’t match the bare domain, and without a route the collector only answers on its
          workers.dev address, which no crawler visits. If {zone} is only a part of a zone,{' '}
          <code>zone_name</code> is the zone’s name.
        </p>
        <p>
          In each route’s settings, set <strong>Request limit failure mode</strong> to{' '}
          <strong>Fail open</strong>. On a free plan, visitors would otherwise see an error page after 100,000
          requests a day, including images and scripts.
        </p>
      </Step>
    </>
  );
}
