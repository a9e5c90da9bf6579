/** The signature member: a detached compact JWS (RFC 7515 Appendix F) with EdDSA (RFC 8037) over the body's canonical form. */
import { decodeBase64url, encodeBase64url } from '../base64url.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import { parseStrictJson } from './strict-json.ts';

/** What is signed: header and payload, each in base64url. */
export function signingInput(encodedHeader: string, payload: string): Uint8Array<ArrayBuffer> {
  const text = `${encodedHeader}.${encodeBase64url(new TextEncoder().encode(payload))}`;
  return new TextEncoder().encode(text);
}

/** A header of ours has some 300 bytes. */
const MAX_HEADER = 4096;

export interface DetachedJws {
  readonly encodedHeader: string;
  readonly header: JsonObject;
  /** Of whatever length: whether it can be one, the algorithm says. */
  readonly encodedSignature: string;
}

/** @returns null for what is no detached compact JWS, or whose header could be read in two ways */
export function readDetachedJws(text: string): DetachedJws | null {
  const [encodedHeader, payload, encodedSignature, more] = text.split('.', 4);
  if (encodedHeader === undefined || encodedSignature === undefined || more !== undefined) return null;
  if (payload !== '' || encodedHeader.length > MAX_HEADER) return null;
  const bytes = decodeBase64url(encodedHeader);
  const header = bytes === null ? null : readHeader(bytes);
  return isJsonObject(header) ? { encodedHeader, header: header as JsonObject, encodedSignature } : null;
}

function readHeader(bytes: Uint8Array): JsonValue {
  try {
    return parseStrictJson(bytes);
  } catch {
    return null;
  }
}
