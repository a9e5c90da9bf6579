import { HAPROXY_CAPTURES, printHaproxy } from '../../../../core/src/log-formats/testing/print.ts';
import { serverSample } from '../testing/server-sample.ts';

export const sample = serverSample(printHaproxy, {
  lacks: ['requestId'],
  query: `fields=${HAPROXY_CAPTURES.join(',')}`,
});
