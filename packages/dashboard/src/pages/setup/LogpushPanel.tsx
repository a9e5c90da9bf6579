import { useState } from 'react';
import { OutOfReach } from '../../features/property/OutOfReach.tsx';
import { Snippet } from '../../features/property/Snippet.tsx';
import { IconInfo } from '../../parts/icons.tsx';
import { Step } from '../../parts/Section.tsx';
import {
  LOGPUSH_FIELDS,
  logpushDestination,
  logpushFilter,
  logpushJob,
  type SnippetValues,
} from './snippets.ts';

export function LogpushPanel({ values }: { values: SnippetValues }) {
  const [botManagement, setBotManagement] = useState(false);
  const [filter, setFilter] = useState(false);
  const options = { botManagement, filter: botManagement && filter };
  return (
    <>
      <Step number={2} title="Create a Logpush job">
        <OutOfReach address={values.baseUrl} />
        <Snippet wrap title="Destination URL" what="the destination URL" code={logpushDestination(values)} />
        <p className="aside">
          Cloudflare turns <code>header_X-API-Key</code> into a request header. Keep the encoding as it is.
        </p>
        <div className="checks">
          <label>
            <input
              type="checkbox"
              checked={botManagement}
              onChange={(event) => setBotManagement(event.target.checked)}
            />
            <span>
              My zone has Bot Management
              <span className="way-about">
                Adds <code>VerifiedBotCategory</code>: Cloudflare’s own check then takes precedence.
              </span>
            </span>
          </label>
          <label data-off={!botManagement}>
            <input
              type="checkbox"
              disabled={!botManagement}
              checked={options.filter}
              onChange={(event) => setFilter(event.target.checked)}
            />
            <span>
              Forward AI traffic only
              <span className="way-about">Less volume, but see below.</span>
            </span>
          </label>
        </div>
        <Snippet title="Job (API body)" what="the Logpush job" code={logpushJob(values, options)} />
        <Snippet
          title="Fields, for the form"
          wrap
          what="the field list"
          code={[...LOGPUSH_FIELDS, ...(botManagement ? ['VerifiedBotCategory'] : [])].join(',')}
        />
        <p className="aside">
          <code>RayID</code> removes duplicates; <code>WorkerSubrequest</code> excludes a Worker’s own
          fetches; <code>max_upload_bytes</code> keeps uploads small enough to retry.
        </p>
      </Step>
      <Step number={3} title="Decide whether to filter">
        <div className="notice">
          <IconInfo />
          <p>
            A filter forwards only requests that Cloudflare classifies as AI bots, and visits with a referrer
            of five AI engines. Everything else is never sent and <strong>can’t be classified later</strong>:
            bots outside Cloudflare’s list, spoofed bots, referrals of other engines, links tagged with{' '}
            <code>utm_source</code>. Without a filter every line is sent, and non-AI lines are dropped here.
          </p>
        </div>
        {botManagement && (
          <Snippet title="Filter expression" wrap what="the filter expression" code={logpushFilter()} />
        )}
        <p className="aside">
          Logpush uploads about every minute: visits appear here after one to two minutes.
        </p>
      </Step>
    </>
  );
}
