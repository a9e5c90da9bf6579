/** Trying a destination: a sample conversion through the platform's own way of testing, shown as it was sent and answered. */
import type { Topic } from '@ghostlight/core';
import { type Caller, type Clock, ServiceError } from '../common/index.ts';
import { audit, type Database } from '../database/index.ts';
import {
  type AnyDestination,
  type Auth,
  type HttpRequest,
  type HttpResponse,
  type Mapped,
  SKIP_REASONS,
  type SkipReason,
  type Verdict,
} from '../destinations/index.ts';
import { type Send, SendError } from '../outbound/index.ts';
import type { Property } from '../properties/index.ts';
import type { BoundDestination, Tokens } from './delivery/index.ts';
import type { Destinations } from './destinations.ts';
import { knownSecrets } from './encrypted-urls.ts';
import { createMasker, knownOf, type Masker, type ShownRequest, type ShownResponse } from './masking.ts';
import { sampleContext, sampleConversion } from './sample.ts';
import type { DestinationRow, Vault } from './vault.ts';

/** Tests that wait for a platform at a time, on this node. */
const MAX_AT_ONCE = 8;
const MAX_ANSWER_BYTES = 256 * 1024;

export interface TestSendRequest {
  readonly topic: Topic;
  /** Of the platform's test view. */
  readonly code: string | null;
  /** Sends a real event, which counts. */
  readonly live: boolean;
}

export interface TestSend {
  readonly mode: 'validate' | 'code' | 'shown' | 'live';
  readonly sent: boolean;
  readonly eventName: string | null;
  readonly skip: { readonly reason: SkipReason; readonly message: string } | null;
  /** Masked, as the response. */
  readonly request: ShownRequest | null;
  readonly response: ShownResponse | null;
  readonly verdict: {
    readonly kind: string;
    readonly code: string | null;
    readonly message: string | null;
  } | null;
  readonly explanation: string;
  readonly notes: readonly string[];
}

export interface TrialDeps {
  readonly database: Database;
  readonly platforms: readonly AnyDestination[];
  readonly destinations: Pick<Destinations, 'row'>;
  readonly vault: Vault;
  /** Those of delivery. */
  readonly tokens: Tokens;
  readonly send: Send;
  readonly clock: Clock;
}

/** Shown instead of a test's result. */
const LIVE = 'This was a real event: if the platform has accepted it, it counts in its reports.';

/** A platform of another version: opening its settings says so. */
const UNKNOWN = { kind: 'none', explanation: '' } as const;

/** @throws ServiceError `not_found`, `invalid` for a missing code, `rate_limited`, `conflict` where it can't be opened */
export type Try = (
  property: Property,
  actor: Caller['actor'],
  destinationId: string,
  request: TestSendRequest,
) => Promise<TestSend>;

export function createTestSend(deps: TrialDeps): Try {
  let running = 0;

  const attempt = async (
    property: Property,
    row: DestinationRow,
    asked: TestSendRequest,
  ): Promise<TestSend> => {
    const { kind, explanation } =
      deps.platforms.find(({ platform }) => platform === row.platform)?.test ?? UNKNOWN;
    const mode = asked.live ? 'live' : kind === 'none' ? 'shown' : kind;
    if (mode === 'code' && asked.code === null)
      throw new ServiceError('invalid', 'The platform needs a test code.', {
        errors: [{ pointer: '/code', message: 'Copy it from the platform’s own test view.' }],
      });
    const bound = opened(deps.vault, row);
    const now = deps.clock();
    const conversion = sampleConversion(asked.topic, property.id, now);
    const context = sampleContext(conversion, property.domain);
    const trial = {
      mode,
      sent: false,
      request: null,
      response: null,
      verdict: null,
      explanation: asked.live ? '' : explanation,
    } as const;
    const decided = bound.decide(conversion, context, now);
    if ('skip' in decided) {
      const message = [SKIP_REASONS[decided.skip], decided.detail].filter(Boolean).join(' ');
      return { ...trial, eventName: null, skip: { reason: decided.skip, message }, notes: [] };
    }
    const told = { ...trial, eventName: decided.name, skip: null, notes: decided.notes ?? [] };
    const token = await deps.tokens.of(row, bound);
    if (token.kind === 'changed')
      throw new ServiceError('conflict', 'It has been changed in the meantime; try again.');
    if (token.kind === 'failed') return { ...told, verdict: shown(token.verdict, (text) => text) };
    const auth: Auth = { credentials: bound.credentials, accessToken: token.accessToken, now };
    const masker = createMasker({
      ...knownSecrets(auth.credentials, auth.accessToken),
      plainFields: bound.plainFields,
      ...knownOf(conversion, context),
    });
    const request = requestOf(bound, decided, auth, asked);
    const withRequest = { ...told, request: masker.request(request) };
    if (mode === 'shown') return withRequest;
    const done = {
      ...withRequest,
      ...(await exchange(deps.send, bound, decided, request, masker)),
      ...(asked.live ? { explanation: LIVE } : {}),
      sent: true,
    };
    if (done.verdict?.kind !== 'auth' || token.isFresh) return done;
    // A token may end before its time; only a new one's refusal is the credential's fault.
    deps.tokens.forget(row.id);
    return await attempt(property, row, asked);
  };

  return async (property, actor, destinationId, asked) => {
    const row = await deps.destinations.row(property, destinationId);
    if (running >= MAX_AT_ONCE)
      throw new ServiceError('rate_limited', 'Other destinations are being tested; try again shortly.', {
        headers: { 'Retry-After': '5' },
      });
    running += 1;
    try {
      const trial = await attempt(property, row, asked);
      if (trial.sent)
        await audit(deps.database.kysely, {
          at: deps.clock(),
          actor,
          action: asked.live ? 'destination.tested_live' : 'destination.tested',
          subject: row.id,
          organizationId: property.organizationId,
        });
      return trial;
    } finally {
      running -= 1;
    }
  };
}

function opened(vault: Vault, row: DestinationRow): BoundDestination {
  try {
    return vault.open(row);
  } catch (error) {
    const detail = 'Its settings or credentials can no longer be read; enter them again.';
    throw new ServiceError('conflict', detail, { cause: error });
  }
}

const requestOf = (
  bound: BoundDestination,
  { event }: Mapped,
  auth: Auth,
  { live, code }: TestSendRequest,
): HttpRequest => (live ? bound.build([event], auth) : bound.buildTest(event, auth, code));

async function exchange(
  send: Send,
  bound: BoundDestination,
  { event }: Mapped,
  request: HttpRequest,
  masker: Masker,
): Promise<Pick<TestSend, 'response' | 'verdict'>> {
  let response: HttpResponse;
  try {
    response = await send(request, {
      timeoutMs: bound.limits.timeoutMs,
      maxBytes: MAX_ANSWER_BYTES,
      guarded: bound.hosts.length === 0,
    });
  } catch (error) {
    if (!(error instanceof SendError)) throw error;
    const message = 'The platform did not answer, so the result of the test is unknown.';
    return { response: null, verdict: { kind: 'retry', code: error.word, message } };
  }
  const [verdict] = bound.classify(response, [event]);
  return {
    response: masker.response(response),
    verdict: verdict === undefined ? null : shown(verdict, masker.text),
  };
}

function shown(verdict: Verdict, mask: (text: string) => string): NonNullable<TestSend['verdict']> {
  const { kind } = verdict;
  const code = 'code' in verdict ? mask(verdict.code) : null;
  const message = 'message' in verdict && verdict.message !== undefined ? mask(verdict.message) : null;
  return kind === 'accepted'
    ? { kind, code, message: 'The platform has accepted it and evaluates it later.' }
    : { kind, code, message };
}
