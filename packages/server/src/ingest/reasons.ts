/** The closed sets of what may happen to an element instead of being kept. They are metric labels and wire words: never renamed. */

export const DROP_REASONS = ['not_ai', 'worker_subrequest'] as const;
export type DropReason = (typeof DROP_REASONS)[number];

/** Reason → what to do about it, as the report tells the sender. */
export const REJECT_REASONS = {
  not_json: 'This is not JSON.',
  not_an_object: 'This is JSON, but not an object.',
  line_too_long: 'A line may be 1 MiB long.',
  too_many_members: 'An object may have 4,000 members.',
  csv: 'These lines look like CSV: set the job’s output type to ndjson and remove prefixes and delimiters.',
  missing: 'This field is required and must not be empty.',
  wrong_type: 'This value has a type that the field can’t take.',
  out_of_range: 'This number is outside of what the field can take.',
  not_a_time: 'This is not a time in a form that the endpoint reads.',
  in_future: 'This time is more than a day ahead of the service’s clock.',
  too_old: 'This time is more than 31 days ago, or not in the unit that the field uses.',
  missing_attribution_id: 'Name a property in attribution_id, or pin a default one to the ingest key.',
  unknown_attribution_id: 'No property of this key’s organization has this attribution ID.',
} as const;
export type RejectReason = keyof typeof REJECT_REASONS;

/** Why one element was not taken. */
export interface Rejection {
  readonly reason: RejectReason;
  /** The wire's name of the field, or null when it is the element as a whole. */
  readonly field: string | null;
}
