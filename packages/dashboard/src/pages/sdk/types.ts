/** Types of the API, taken from its OpenAPI document. */
import type { EventsStatus } from '../../api/schema.gen.ts';

export type { EventSettings, EventsStatus } from '../../api/schema.gen.ts';

export type EventOrigin = EventsStatus['origins'][number];
