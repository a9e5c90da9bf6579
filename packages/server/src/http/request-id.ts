/** The id of a request at the listener: read or made once, when it is first asked for. */
import type { IncomingMessage } from 'node:http';
import { REQUEST_ID_HEADER, requestIdFrom } from '../common/index.ts';

const ID = Symbol('request id');
const HEADER = REQUEST_ID_HEADER.toLowerCase();

export function requestIdOf(request: IncomingMessage & { [ID]?: string }): string {
  request[ID] ??= requestIdFrom(request.headers[HEADER]);
  return request[ID];
}
