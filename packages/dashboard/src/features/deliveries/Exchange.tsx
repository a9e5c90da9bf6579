import { CodeBlock } from '../../parts/CopyButton.tsx';
import { IconInfo } from '../../parts/icons.tsx';
import type { ShownRequest, ShownResponse } from '../destinations/api.ts';
import './lines.css';

interface ExchangeProps {
  request: ShownRequest | null;
  response: ShownResponse | null;
}

/** The request for this event, and the answer. */
export function Exchange({ request, response }: ExchangeProps) {
  return (
    <>
      {request !== null && (
        <CodeBlock
          wrap
          title={
            <>
              Request <span className="quiet">(secrets and personal data masked)</span>
            </>
          }
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

/** Method, URL, headers, and the body with each member on its own line. */
export function requestText({ method, url, headers, body }: ShownRequest): string {
  const head = [`${method} ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  return body === null || body === '' ? head.join('\n') : `${head.join('\n')}\n\n${bodyText(body)}`;
}

/** JSON is indented; anything else, including cut JSON, stays as received. */
export function bodyText(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/** Weaknesses of an accepted event, such as a fallback id or a dropped phone number. */
export function Notes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return (
    <ul className="delivery-notes" aria-label="Notes">
      {notes.map((note) => (
        <li key={note}>
          <IconInfo />
          <span className="break">{note}</span>
        </li>
      ))}
    </ul>
  );
}
