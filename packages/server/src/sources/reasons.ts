/**
 * The closed sets of what may happen to an element instead of being kept, by the step that decides it. Reasons are metric labels and wire words: never
 * renamed. Each belongs to one step, so that the counts of reasons are the counts of steps.
 */

/** The ways in which an element can end on its way through `ingest/`, in order. */
export const STEPS = ['read', 'decode', 'attribute', 'classify', 'own_requests'] as const;
export type Step = (typeof STEPS)[number];

export const DROP_REASONS = ['not_ai', 'worker_subrequest', 'not_a_visit', 'over_quota'] as const;
export type DropReason = (typeof DROP_REASONS)[number];

/** Reason → what to do about it, as the report tells the sender. */
export const REJECT_REASONS = {
  not_json: 'This is not JSON.',
  not_an_object: 'This is JSON, but not an object.',
  line_too_long: 'A line can have at most 1 MiB.',
  too_many_members: 'An object can have at most 4,000 members.',
  damaged_record: 'The data of this record is not base64, is damaged gzip, or inflates too far.',
  csv: 'These lines look like CSV: set the job’s output type to ndjson and remove prefixes and delimiters.',
  missing: 'This field is required and must not be empty.',
  wrong_type: 'This value has a type that the field can’t accept.',
  out_of_range: 'This number is out of range for this field.',
  unreadable: 'This line does not match its source’s format.',
  not_a_time: 'This is not a time in a form that the endpoint reads.',
  in_future: 'This time is more than a day ahead of the service’s clock.',
  too_old: 'This time is more than 31 days ago, or not in the unit that the field uses.',
  past_retention: 'This visit is older than the property’s retention for its kind.',
  missing_attribution_id: 'Send attribution_id, or set a default property on the ingest key.',
  unknown_attribution_id: 'No property of this key’s organization has this attribution ID.',
} as const;
export type RejectReason = keyof typeof REJECT_REASONS;

/** Reasons that tell of the whole body, or of what a property is set to: a report and the quarantine name them once per request. */
export const SAID_ONCE: ReadonlySet<RejectReason> = new Set(['csv', 'past_retention']);

/** Reasons by which a request is in the wrong format, the most telling first. */
export const FORMAT_REASONS: readonly RejectReason[] = ['csv', 'not_json', 'unreadable'];

/** Why one element was not taken. */
export interface Rejection {
  readonly reason: RejectReason;
  /** The wire's name of the field, or null when it is the element as a whole. */
  readonly field: string | null;
}

const STEP_OF: Readonly<Record<DropReason | RejectReason, Step>> = {
  not_json: 'read',
  not_an_object: 'read',
  line_too_long: 'read',
  too_many_members: 'read',
  damaged_record: 'read',
  unreadable: 'read',
  csv: 'read',
  missing: 'decode',
  wrong_type: 'decode',
  out_of_range: 'decode',
  not_a_time: 'decode',
  in_future: 'decode',
  too_old: 'decode',
  missing_attribution_id: 'attribute',
  unknown_attribution_id: 'attribute',
  not_a_visit: 'decode',
  past_retention: 'classify',
  over_quota: 'classify',
  not_ai: 'classify',
  worker_subrequest: 'own_requests',
};

/** The step that decides for this reason; null for a reason of another version. */
export function stepOf(reason: string): Step | null {
  return Object.hasOwn(STEP_OF, reason) ? STEP_OF[reason as keyof typeof STEP_OF] : null;
}
