/** What a collector says beside the visit itself: which of its own checks the visit has passed, and whether it was drawn for the sample. */
import { FIELD_LIMITS, MIN_SAMPLE_RATE, type ObservedHit } from '@ghostlight/core';
import type { Rejection } from '../reasons.ts';
import { cut, numberOf, optionalText, Unusable } from './coerce.ts';

/** The members that are read. */
export const CLAIM_MEMBERS = [
  ...['verified', 'verified_by', 'unchecked', 'ranges_as_of', 'signature_agent'],
  ...['sample_rate', 'worker_version'],
] as const;

export type Claims = Pick<
  ObservedHit,
  | 'edgeVerified'
  | 'edgeVerifiedBy'
  | 'edgeUnchecked'
  | 'edgeRangesAsOf'
  | 'sampleRate'
  | 'workerVersion'
  | 'signatureAgent'
>;

/** Members are read by name and never copied in bulk, so `__proto__` is just an unknown field. */
export function claimsOf(log: Readonly<Record<string, unknown>>): Claims | Rejection {
  const workerVersion = optionalText(log['worker_version'], FIELD_LIMITS.workerVersion);
  if (workerVersion instanceof Unusable) return { reason: workerVersion.reason, field: 'worker_version' };
  const rate = numberOf(log['sample_rate']);
  if (rate instanceof Unusable) return { reason: rate.reason, field: 'sample_rate' };
  return {
    edgeVerified: verdictOf(log['verified']),
    edgeVerifiedBy: methodOf(log['verified_by']),
    edgeUnchecked: log['unchecked'] === true,
    edgeRangesAsOf: dayOf(log['ranges_as_of']),
    sampleRate: rate !== undefined && rate >= MIN_SAMPLE_RATE && rate <= 1 ? rate : null,
    workerVersion,
    signatureAgent: agentOf(log['signature_agent']),
  };
}

function verdictOf(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  return value === 'true' ? true : value === 'false' ? false : null;
}

function methodOf(value: unknown): 'signature' | 'edge_cidr' | null {
  return value === 'signature' || value === 'edge_cidr' ? value : null;
}

/** What is no day names none. */
function dayOf(value: unknown): string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? value : '';
}

function agentOf(value: unknown): string {
  return typeof value === 'string' ? cut(value, FIELD_LIMITS.signatureAgent) : '';
}
