/** The signed WebMCP manifest: form, canonical text, signing, verification. WebCrypto alone; no I/O. */

export type { JsonObject, JsonValue } from '../json.ts';
export type { Problem } from '../problems.ts';
export * from './canonical.ts';
export * from './errors.ts';
export * from './issuers.ts';
export * from './manifest.ts';
export * from './shape.ts';
export * from './short-form.ts';
export * from './sign.ts';
export * from './strict-json.ts';
export * from './thumbprint.ts';
export * from './verify.ts';
