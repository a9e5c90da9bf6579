/** Validates the settings of a destination by its platform's schema: all errors are reported at once. */
import { isTopic } from '@ghostlight/core';
import type { z } from 'zod';
import { type FieldError, fieldErrors, ServiceError } from '../common/index.ts';
import type { AnyDestination, Credentials, EventMapping } from '../destinations/index.ts';

/** A custom event's own line in the mapping; the names that a webhook takes. */
const CUSTOM = /^custom:[A-Za-z0-9_\- ]{1,64}$/;

export interface Entered {
  readonly config?: Readonly<Record<string, unknown>> | undefined;
  readonly credentials?: Readonly<Record<string, unknown>> | undefined;
  readonly events?: EventMapping | undefined;
}

/** As the platform's schemas parsed it; a member is absent where nothing was entered. */
export interface Checked {
  readonly config?: Readonly<Record<string, unknown>>;
  readonly credentials?: Credentials;
  readonly events?: EventMapping;
}

/** @throws ServiceError `invalid` with pointers into what was entered; it contains no value of a credential */
export function checkEntered(platform: AnyDestination, entered: Entered): Checked {
  const errors: FieldError[] = [];
  const config = parsed(platform.config, '/config', entered.config, errors);
  const credentials = parsed(platform.credentials, '/credentials', entered.credentials, errors);
  const { events } = entered;
  if (events !== undefined) errors.push(...mappingErrors(platform, events));
  if (errors.length > 0)
    throw new ServiceError(
      'invalid',
      `The destination has ${errors.length === 1 ? '1 error' : `${errors.length} errors`}.`,
      { errors },
    );
  return {
    ...(config === undefined ? {} : { config }),
    ...(credentials === undefined ? {} : { credentials: credentials as Credentials }),
    ...(events === undefined ? {} : { events }),
  };
}

/** A member that no schema knows is a misspelt one: taken in silence, it would be missed where it matters. */
function parsed(
  schema: z.ZodObject,
  place: string,
  entered: Readonly<Record<string, unknown>> | undefined,
  errors: FieldError[],
): Record<string, unknown> | undefined {
  if (entered === undefined) return undefined;
  for (const name of Object.keys(entered))
    if (!Object.hasOwn(schema.shape, name))
      errors.push({
        pointer: place + token(name),
        message: 'The platform has no such setting; remove it.',
      });
  const result = schema.safeParse(entered);
  if (result.success) return result.data;
  errors.push(
    ...fieldErrors(result.error.issues, { value: entered, isAddress: false }).map(({ pointer, message }) => ({
      pointer: place + pointer,
      message,
    })),
  );
  return undefined;
}

function mappingErrors({ events, title }: AnyDestination, mapping: EventMapping): FieldError[] {
  return Object.entries(mapping).flatMap(([key, name]) => {
    const pointer = `/events${token(key)}`;
    const topic = CUSTOM.test(key) ? 'custom' : key;
    if (!isTopic(topic))
      return [{ pointer, message: 'Must be a topic, or "custom:" and the name of an event.' }];
    if (name === null) return [];
    if (events.defaults[topic] === null)
      return [{ pointer, message: `${title} has no such event; it can only be turned off.` }];
    return events.pattern.test(name)
      ? []
      : [{ pointer, message: `Must be the platform’s ${events.label}, such as "${events.example}".` }];
  });
}

const token = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
