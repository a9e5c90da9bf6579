import { CodeBlock } from '../parts/CodeBlock.tsx';
import { CopyButton } from '../parts/CopyButton.tsx';
import { Step } from './Step.tsx';
import { type SnippetValues, workerConfiguration, workerVariables } from './snippets.ts';

export function WorkerPanel({ values }: { values: SnippetValues }) {
  return (
    <>
      <Step number={2} title="Set the collector’s variables">
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
        <CodeBlock title="wrangler.toml" what="the worker configuration" code={workerConfiguration(values)} />
        <CodeBlock
          title="The secret"
          what="the secret command"
          code="npx wrangler secret put SERVICE_API_KEY"
        />
        <p className="aside">
          Optional: a key-value namespace bound as <code>WEBMCP_CACHE</code> caches the signed manifest at the
          edge.
        </p>
      </Step>
      <Step number={3} title="Put it on your zone">
        <p>
          Deploy with <strong>both routes</strong>: <code>{values.domain}/*</code> and{' '}
          <code>*.{values.domain}/*</code>. The second doesn’t match the bare domain, and without a route the
          collector only answers on its own dev address, which no crawler visits.
        </p>
        <p>
          In the route’s settings, set <strong>Request limit failure mode</strong> to{' '}
          <strong>Fail open</strong>. On a free plan, visitors would otherwise meet an error page once the
          day’s requests are used up.
        </p>
      </Step>
    </>
  );
}
