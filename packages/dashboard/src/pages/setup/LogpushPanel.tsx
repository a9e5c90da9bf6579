import { useState } from 'react';
import { CodeBlock } from '../../parts/CopyButton.tsx';
import { IconInfo } from '../../parts/icons.tsx';
import { Step } from '../../parts/Section.tsx';
import { OutOfReach } from './OutOfReach.tsx';
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
      <Step number={2} title="Point a log push job here">
        <OutOfReach address={values.baseUrl} />
        <CodeBlock
          wrap
          title="Destination URL"
          what="the destination URL"
          code={logpushDestination(values)}
        />
        <p className="aside">
          The edge platform can’t set headers of your choice; it turns <code>header_X-API-Key</code> into one.
          Keep the encoding as it is.
        </p>
        <div className="checks">
          <label>
            <input
              type="checkbox"
              checked={botManagement}
              onChange={(event) => setBotManagement(event.target.checked)}
            />
            <span>
              My zone has bot management
              <span className="way-about">
                Adds <code>VerifiedBotCategory</code>: the platform’s own verdict is believed over ours.
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
              <span className="way-about">Less volume, at a price: see below.</span>
            </span>
          </label>
        </div>
        <CodeBlock title="Job (API body)" what="the log push job" code={logpushJob(values, options)} />
        <CodeBlock
          title="Fields, for the form"
          wrap
          what="the field list"
          code={[...LOGPUSH_FIELDS, ...(botManagement ? ['VerifiedBotCategory'] : [])].join(',')}
        />
        <p className="aside">
          <code>RayID</code> keeps a visit that arrives twice from counting twice;{' '}
          <code>WorkerSubrequest</code> keeps a worker’s own fetches from counting as visits;{' '}
          <code>max_upload_bytes</code> keeps uploads small enough to be retried.
        </p>
      </Step>
      <Step number={3} title="Decide about the filter">
        <div className="notice">
          <IconInfo />
          <p>
            A filter forwards only what the platform calls an AI bot and visits whose referrer names one of
            five AI engines. What it holds back is never sent and <strong>can’t be classified later</strong>:
            bots outside the platform’s list, spoofed ones, referrals of other engines, links tagged with{' '}
            <code>utm_source</code>. Without it every line is sent and everything that isn’t AI is dropped
            here.
          </p>
        </div>
        {botManagement && (
          <CodeBlock title="Filter expression" wrap what="the filter expression" code={logpushFilter()} />
        )}
        <p className="aside">
          Log push works in steps of about a minute: expect visits here one to two minutes after they happen.
        </p>
      </Step>
    </>
  );
}
