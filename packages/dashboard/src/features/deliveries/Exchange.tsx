import { CodeBlock } from '../../parts/CodeBlock.tsx';
import type { ShownRequest, ShownResponse } from '../destinations/types.ts';
import { bodyText, requestText } from './exchange-text.ts';

interface ExchangeProps {
  request: ShownRequest | null;
  response: ShownResponse | null;
}

/** What was sent, for this event alone, and what came back. */
export function Exchange({ request, response }: ExchangeProps) {
  return (
    <>
      {request !== null && (
        <CodeBlock
          wrap
          title="Request, secrets and personal data masked"
          what="the masked request"
          code={requestText(request)}
        />
      )}
      {response !== null && (
        <CodeBlock
          wrap
          title={`Answer: HTTP ${response.status}`}
          what="the answer"
          code={response.body === '' ? '(no body)' : bodyText(response.body)}
        />
      )}
    </>
  );
}
