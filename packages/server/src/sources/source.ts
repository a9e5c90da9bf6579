/**
 * What a log source is: a name, how its bodies are cut into elements, how an element becomes a hit, and everything that other rooms and people
 * need to know about it. Data and pure functions: `ingest/` owns connections, bodies, keys and the spool.
 */
import type {
  ClassifiableHit,
  CompiledLists,
  CountedKind,
  ObservedHit,
  ProgramCount,
} from '@ghostlight/core';
import type { z } from '@hono/zod-openapi';
import type { ErrorCode } from '../common/index.ts';
import type { DropReason, Rejection } from './reasons.ts';

/** A decoder's product. */
export interface Observation {
  readonly hit: ObservedHit;
  /** Made by a Worker of the zone on behalf of a visit that has its own line. */
  readonly ownRequest: boolean;
}

/** What a log says beside its visits: it is read, and counts as nothing. */
export interface Passed {
  readonly drop: DropReason;
  /** Numbers that it says of other requests. */
  readonly counted?: CountedRequests;
}

/** How many requests of some time were no AI visits, as a program on the server has counted them. */
export interface CountedRequests extends Readonly<Record<CountedKind, number>> {
  /** Epoch milliseconds at which the time begins, a quarter of an hour. */
  readonly at: number;
  /** How long it is: one quarter of an hour, or four. */
  readonly quarters: 1 | 4;
  /** Empty: more hosts than could be told apart. */
  readonly host: string;
  /** Of the programs' requests, those of crawlers, by `crawlerAgent`. */
  readonly programs: ReadonlyMap<string, Readonly<ProgramCount>>;
  /** The same when the same requests are counted again; empty: the batch alone is known. */
  readonly id: string;
  /** In (0, 1]; null: the log has every request. */
  readonly loggedShare: number | null;
}

export type Decoded = Observation | Rejection | Passed;

export function isRejection(decoded: Decoded): decoded is Rejection {
  return 'reason' in decoded;
}

export function isPassed(decoded: Decoded): decoded is Passed {
  return 'drop' in decoded;
}

/**
 * Where a request may carry its key: bare in a header or a query parameter, behind `Bearer`, or as the password of Basic authentication,
 * whatever its user. A source takes all the forms that it lists; two different keys are none.
 */
export interface AuthForm {
  readonly place: 'header' | 'query' | 'bearer' | 'basic';
  readonly name: string;
}

/** What a source may read of a request beside its body. */
export interface SourceRequest {
  readonly parameters: URLSearchParams;
  /** Epoch milliseconds. */
  readonly now: number;
  /** @param name in lower case */
  header(name: string): string | undefined;
  /** How long raw hits are kept; milliseconds. */
  readonly retentionMs: number;
  /** What the key's owner has set for this source, by the names of its `settings`. */
  readonly settings: Settings;
}

export type Settings = Readonly<Record<string, unknown>>;

/** Something of a sender that its key has to know. */
export interface SourceSetting {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  /** A secret is stored encrypted and never shown again. */
  readonly kind: 'text' | 'secret' | 'list' | 'mapping';
  /** What a value may be. */
  readonly schema: z.ZodType;
}

export interface ElementError {
  readonly index: number;
  readonly field: string | null;
  readonly reason: string;
  readonly message: string;
}

/** The answer to a request some of whose elements were rejected. */
export interface Report {
  readonly kept: number;
  readonly dropped: number;
  readonly duplicate: number;
  readonly rejected: number;
  /** The first 20. */
  readonly errors: readonly ElementError[];
}

/** What came of a request that was read to its end and took effect. */
export interface Settled {
  /** How many elements or lines it had. */
  readonly received: number;
  /** How many could be read as an object, whatever became of them. */
  readonly objects: number;
  /** Of these, how many were not taken. */
  readonly rejected: number;
  /** The same body was taken before: nothing of it counts again. */
  readonly alreadyTaken: boolean;
  /** Made when it is asked for. */
  readonly report: () => Report;
}

/** How a settled request is answered. */
export type SourceAnswer =
  | { readonly status: 204 }
  | { readonly status: 200; readonly json: object }
  | ({ readonly status: 200 } & Spoken)
  | { readonly problem: ErrorCode; readonly detail: string; readonly errors: readonly ElementError[] };

/** A body in the sender's own form. */
export interface Spoken {
  readonly contentType: string;
  readonly body: string | Uint8Array;
}

/** Why a request was not taken. */
export interface Fault {
  readonly status: number;
  readonly detail: string;
}

/** One text to copy. `{{name}}` is filled in by the reader: `base_url`, `attribution_id`, `domain`, `key`; `{{name|url}}`, `|json` and `|shell` quote it, `|host` and `|port` take its part. */
export interface SetupSnippet {
  readonly title: string;
  readonly template: string;
}

export interface SetupStep {
  readonly title: string;
  /** Paragraphs. */
  readonly text: readonly string[];
  readonly snippets: readonly SetupSnippet[];
}

/** Where a site runs, as the setup page sorts its sources. */
export const GROUPS = ['edge', 'server', 'shipper', 'application', 'import'] as const;
export type Group = (typeof GROUPS)[number];

/** What people and other rooms see of a source. */
export interface SourceAbout {
  /** The last part of its address, the provider of its keys, the value of the column `source`. Never renamed. */
  readonly name: string;
  /** As lists and badges show it. */
  readonly title: string;
  /** As sentences name it. */
  readonly inSentences: string;
  /** What a key for it is for, behind the title. */
  readonly keyHint: string;
  /** What its lines call the address of the client; absent: nothing of its own. */
  readonly addressField?: string;
  /** A collector names its version and sends a sample of the other traffic; a log has all lines and no sample. */
  readonly kind: 'collector' | 'log';
  readonly group: Group;
  /** One sentence for those who choose. */
  readonly summary: string;
  /** Where its senders post, where that is not `/v1/logs/` and its name: some senders fix the end of their address. */
  readonly path?: string;
  /** The newest version of a collector, which an older one is measured by. */
  readonly latestVersion: string | null;
  /** A near miss of its address is recognised by this, in addition to its name. */
  readonly misspelled: RegExp;
  readonly setup: {
    /** How the address of the setup page names it. */
    readonly slug: string;
    readonly about: string;
    readonly steps: readonly SetupStep[];
  };
}

/** What the OpenAPI document says beyond keys and answers. */
export interface SourceDocument {
  readonly summary: string;
  readonly query: Readonly<Record<string, z.ZodType>>;
  readonly contentType: string;
  readonly body: z.ZodType;
  /** Answers that other sources don't give: status → description. */
  readonly problems: Readonly<Record<number, string>>;
}

interface SourceBase {
  readonly about: SourceAbout;
  readonly auth: readonly AuthForm[];
  readonly document: SourceDocument;
  readonly settings?: readonly SourceSetting[];
  answer(settled: Settled, request: SourceRequest): SourceAnswer;
}

/** A body of at most 1 MiB that holds one JSON array, or a single object. */
export interface ArraySource extends SourceBase {
  readonly transport: 'array';
  /** @param now epoch milliseconds */
  decode(element: unknown, now: number): Decoded;
}

/** A stream of lines of at most 1,040 MiB, read as it arrives. */
export interface LinesSource extends SourceBase {
  readonly transport: 'lines';
  /** How its lines are read. @throws ServiceError for a request that can't be read so */
  form(request: SourceRequest): LineForm;
  /** A memory for all uploads of one endpoint; absent: every line is parsed. */
  readonly screens?: () => Screens;
  /** Whether it takes only keys that were issued for it: what it may do, other sources may not. */
  readonly ownKeysOnly?: boolean;
  /**
   * Whether its logs have every request, so that others than AI visits are counted: `lines` that are no such visits, or `records` of a program
   * that has counted them itself. Absent, or null for this request: nothing is counted.
   */
  counts?(request: SourceRequest): 'lines' | 'records' | null;
  /** The property that the request's address names, in whatever form it was written. */
  addressed(request: SourceRequest): string | null;
  /** Whether a whole short body is how the platform tries the destination. */
  isTest(body: Buffer): boolean;
  /** What that is answered; absent: 204. */
  tested?(request: SourceRequest): SourceAnswer;
  /** Its senders also ask with GET and HEAD whether there is an endpoint, or send with PUT. */
  readonly alsoTakes?: readonly ('GET' | 'HEAD' | 'PUT')[];
  /** Header fields of every answer to a request with a good key. */
  headers?(settings: Settings): Readonly<Record<string, string>>;
  /** How a request that is not taken is answered; absent: by a problem document. */
  refuse?(fault: Fault, request: SourceRequest): Spoken & { readonly status: number };
  readonly wellKnown?: WellKnown;
  /** What the whole body as sent must prove beside the key; null: nothing. */
  proof?(request: SourceRequest): BodyProof | null;
  /** The same proof may stand for the key: a request without one is tried with the keys of its property that have this setting. */
  readonly signsWith?: { readonly header: string; readonly setting: string };
}

/** A document that a sender asks for before it sends anything, made of what all keys know. */
export interface WellKnown {
  readonly path: string;
  /** Which setting of its keys it is made of. */
  readonly setting: string;
  readonly about: string;
  /** @param values of that setting, of every key that has it @returns plain text; empty: there is none */
  body(values: readonly unknown[]): string;
}

/** A signature over a body, checked when the body is whole. */
export interface BodyProof {
  /** @param chunk of the body as sent, before it is decompressed */
  update(chunk: Buffer): void;
  isGood(): boolean;
}

export type LogSource = ArraySource | LinesSource;

/** A line that says nothing, and why. */
export class Unreadable {
  readonly rejection: Rejection;

  /** @param field the sender's name of it; null: the line as a whole */
  constructor(reason: Rejection['reason'], field: string | null = null) {
    this.rejection = { reason, field };
  }
}

/** How a line becomes a hit. `Line` is what parsing makes of it. */
export interface LineForm<Line = unknown> {
  /** What makes lines of bodies in another form; absent: they are lines. */
  readonly reframe?: () => Reframing;
  /** @returns null for a blank line */
  parse(lines: Buffer, start: number, end: number): Line | Unreadable | null;
  /** The fields by which a class is decided, so that ordinary lines are not decoded. Null: the line is checked in full. */
  traces(line: Line): ClassifiableHit | null;
  /** @param attributionId of the request's address @param now epoch milliseconds */
  decode(line: Line, attributionId: string | null, now: number): Decoded;
  /** The user agent of a screened line, to be shown. @param line its bytes as latin1 */
  agentIn(line: string): string | undefined;
}

export interface Reframing {
  /** @returns lines, to be read before the next call */
  push(chunk: Buffer): Buffer;
  /** How many empty lines were left out since the last call. */
  takePassed(): number;
  /**
   * Elements that could not be made lines since the last call. Where it is there, the body is an envelope: what was around the lines may
   * differ when they are sent again, so a batch is known by its lines alone.
   */
  takeRejected?(): readonly { readonly rejection: Rejection; readonly text: string }[];
  /** The body has ended; what is left of it is taken as above. */
  end?(): void;
}

/** Tells ordinary lines without parsing them. */
export interface LineScreening {
  /** A new block of whole lines comes. */
  begin(): void;
  /** Whether the line can't be AI traffic. @param text the block as latin1 @param end offset of its line feed */
  isOrdinary(text: string, start: number, end: number): boolean;
}

/** @param withSearchEngines null: the upload's property does not tell search crawlers apart */
export type Screens = (lists: CompiledLists, withSearchEngines: CompiledLists | null) => LineScreening;
