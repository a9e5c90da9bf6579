/** A server's line as shippers wrap it. */
import { printNginxJson } from '../../../../core/src/log-formats/testing/print.ts';
import { ndjson, type SourceSample } from './sample.ts';
import { recordOf } from './server-sample.ts';

/** @param wrap the record that a line becomes */
export const shippedSample = (wrap: (line: string) => object): SourceSample => ({
  print: (visits) => ({
    body: ndjson(visits.map((visit) => wrap(printNginxJson(recordOf(visit))))),
    headers: { 'Content-Type': 'application/x-ndjson' },
  }),
});
