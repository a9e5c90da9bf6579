/** What OTLP's clients are answered: in the encoding of their request, with what was rejected, which they don't send again. */
import { BinaryWriter } from '@bufbuild/protobuf/wire';
import type { Fault, Settled, SourceAnswer, SourceRequest, Spoken } from '../source.ts';

export const isJson = (request: SourceRequest): boolean =>
  /^\s*(?:application|text)\/(?:[\w.-]+\+)?json\b/i.test(request.header('content-type') ?? '');

const JSON_TYPE = 'application/json';
const PROTOBUF_TYPE = 'application/x-protobuf';
const MAX_MESSAGE = 1_000;

export function answer(settled: Settled, request: SourceRequest): SourceAnswer {
  const rejected = settled.alreadyTaken ? 0 : settled.rejected;
  if (rejected === 0) return succeeded(request);
  const [first] = settled.report().errors;
  const errorMessage = `${first?.field ?? 'record'}: ${first?.message ?? ''}`.slice(0, MAX_MESSAGE);
  if (isJson(request)) {
    // 64-bit numbers are texts in OTLP's JSON.
    const partialSuccess = { rejectedLogRecords: String(rejected), errorMessage };
    return { status: 200, contentType: JSON_TYPE, body: JSON.stringify({ partialSuccess }) };
  }
  const partial = new BinaryWriter().tag(1, 0).int64(rejected).tag(2, 2).string(errorMessage).finish();
  return {
    status: 200,
    contentType: PROTOBUF_TYPE,
    body: new BinaryWriter().tag(1, 2).bytes(partial).finish(),
  };
}

export function succeeded(request: SourceRequest): SourceAnswer {
  return isJson(request)
    ? { status: 200, contentType: JSON_TYPE, body: '{}' }
    : { status: 200, contentType: PROTOBUF_TYPE, body: new Uint8Array() };
}

/** gRPC's codes, as `google.rpc.Status` has them. */
const CODES: Readonly<Record<number, number>> = {
  400: 3,
  401: 16,
  403: 7,
  405: 12,
  408: 4,
  413: 8,
  415: 3,
  422: 3,
  503: 14,
};
const UNKNOWN = 2;

export function refuse(
  { status, detail }: Fault,
  request: SourceRequest,
): Spoken & { readonly status: number } {
  const code = CODES[status] ?? UNKNOWN;
  return isJson(request)
    ? { status, contentType: JSON_TYPE, body: JSON.stringify({ code, message: detail }) }
    : {
        status,
        contentType: PROTOBUF_TYPE,
        body: new BinaryWriter().tag(1, 0).int32(code).tag(2, 2).string(detail).finish(),
      };
}
