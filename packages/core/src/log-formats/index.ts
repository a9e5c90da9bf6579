export * from './client-address.ts';
export { type Detected, detectFormat } from './detect.ts';
export {
  createLineParser,
  isLogFormat,
  LOG_FORMATS,
  type LogFormat,
  type LogFormatName,
  parseLine,
} from './formats.ts';
export { USUAL_MAPPING } from './mapped-json.ts';
export {
  type FormatOptions,
  isReject,
  LINE_REJECTS,
  type LineParser,
  type LineReject,
  type LogRecord,
  type Mapping,
  type RecordField,
  type Reject,
} from './record.ts';
export { parseInstant } from './times.ts';
