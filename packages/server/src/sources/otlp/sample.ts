import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { type SampleVisit, type SourceSample, searchOf } from '../testing/sample.ts';

/** A visit's attributes; numbers are integers of the encoding. */
export function attributesOf(visit: SampleVisit): Readonly<Record<string, string | number>> {
  return {
    'http.request.method': visit.method,
    'url.path': visit.path,
    ...(visit.query.size === 0 ? {} : { 'url.query': searchOf(visit.query).slice(1) }),
    'server.address': visit.host,
    'http.response.status_code': visit.status,
    'http.response.body.size': visit.bytes,
    'user_agent.original': visit.userAgent,
    'client.address': visit.ip,
    'http.request.header.referer': visit.referrer,
    'http.request.id': visit.requestId,
  };
}

export const nanosOf = (visit: SampleVisit): string => `${visit.at}000000`;

export function jsonOf(visits: readonly SampleVisit[]): string {
  const logRecords = visits.map((visit) => ({
    timeUnixNano: nanosOf(visit),
    severityNumber: 9,
    body: { stringValue: 'request' },
    attributes: Object.entries(attributesOf(visit)).map(([key, value]) => ({
      key,
      value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
    })),
  }));
  return JSON.stringify(
    { resourceLogs: [{ resource: { attributes: [] }, scopeLogs: [{ scope: {}, logRecords }] }] },
    null,
    1,
  );
}

const nested = (field: number, bytes: Uint8Array): Uint8Array =>
  new BinaryWriter().tag(field, 2).bytes(bytes).finish();

function recordOf(visit: SampleVisit): Uint8Array {
  const writer = new BinaryWriter().tag(1, 1).fixed64(nanosOf(visit)).tag(2, 0).int32(9);
  writer.tag(5, 2).bytes(new BinaryWriter().tag(1, 2).string('request').finish());
  for (const [key, value] of Object.entries(attributesOf(visit))) {
    const any =
      typeof value === 'number'
        ? new BinaryWriter().tag(3, 0).int64(value).finish()
        : new BinaryWriter().tag(1, 2).string(value).finish();
    const pair = new BinaryWriter().tag(1, 2).string(key).tag(2, 2).bytes(any).finish();
    writer.tag(6, 2).bytes(pair);
  }
  return writer.tag(8, 5).fixed32(1).finish();
}

export function protobufOf(visits: readonly SampleVisit[]): Buffer {
  const records = visits.map((visit) => nested(2, recordOf(visit)));
  const scope = nested(1, new BinaryWriter().tag(1, 2).string('scope').finish());
  const resource = nested(1, nested(1, new Uint8Array()));
  return Buffer.from(nested(1, Buffer.concat([resource, nested(2, Buffer.concat([scope, ...records]))])));
}

export const sample: SourceSample = {
  print: (visits) => ({
    body: protobufOf(visits),
    headers: { 'Content-Type': 'application/x-protobuf' },
  }),
};
