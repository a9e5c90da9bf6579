import { Exchange, Notes } from '../../../features/deliveries/Exchange.tsx';
import type { Platform, TestResult } from '../../../features/destinations/api.ts';
import { Sign } from '../../../parts/Sign.tsx';
import { resultMessage } from '../model/test-messages.ts';

interface TestResultPanelProps {
  platform: Platform;
  result: TestResult;
  /** Another test is running. */
  stale: boolean;
}

/** Request, answer and their meaning. */
export function TestResultPanel({ platform, result, stale }: TestResultPanelProps) {
  const { tone, title, about } = resultMessage(result);
  const { request, response, verdict, event_name, explanation, notes } = result;
  return (
    <section className="card panel test-result" data-stale={stale} aria-label="Result of the test">
      <div className="test-verdict">
        <Sign tone={tone} />
        <div>
          <h2>{title}</h2>
          {about !== '' && <p className="break">{about}</p>}
          <p className="quiet">
            {event_name !== null && (
              <>
                as <code>{event_name}</code>
              </>
            )}
            {verdict?.code !== null && verdict?.code !== undefined && verdict.code !== '' && (
              <>
                {' '}
                · code <code>{verdict.code}</code>
              </>
            )}
          </p>
        </div>
      </div>
      {explanation !== '' && explanation !== platform.test.explanation && (
        <p className="notice">{explanation}</p>
      )}
      <Notes notes={notes} />
      <Exchange request={request} response={response} />
    </section>
  );
}
