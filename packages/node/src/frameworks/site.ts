/** What the adapters of the frameworks have in common. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Incoming, ofMessage } from '../incoming.ts';
import type { Ending } from '../line.ts';
import type { Sighting } from '../watcher.ts';
import { watchResponse, writeResponse } from './node-response.ts';

export interface Site {
  /** @returns null where nothing is to be reported after the response */
  look(incoming: Incoming): Sighting | null;
  /** @returns when it was tried to be sent, at most some seconds later: for runtimes that stop when nothing waits. Never rejects */
  report(sighting: Sighting, ending: Ending): Promise<void>;
  /** @returns the manifest's answer, or null where the request is the application's */
  manifest(incoming: Incoming): Promise<Response | null> | null;
}

/** Looks at a request, and reports it when its response has left. @returns the request as it was read */
export function watchMessage(
  site: Site,
  message: IncomingMessage,
  response: ServerResponse,
  target?: string,
): Incoming {
  const incoming = ofMessage(message, target);
  const sighting = site.look(incoming);
  try {
    if (sighting !== null)
      watchResponse(response, incoming.method, (ending) => void site.report(sighting, ending));
  } catch {
    // A response that is none of Node's tells nothing.
  }
  return incoming;
}

/** Gives a request to the application, unless it asks for the manifest. @param own what answers it otherwise */
export function passOn(
  site: Site,
  incoming: Incoming,
  response: ServerResponse,
  own: () => void,
  beforeAnswer: () => void = () => {},
): void {
  const asked = site.manifest(incoming);
  if (asked === null) {
    own();
    return;
  }
  void asked.then((answer) => {
    // What the application throws must not become a rejection of ours.
    if (answer === null) setImmediate(own);
    else {
      beforeAnswer();
      void writeResponse(response, answer);
    }
  });
}
