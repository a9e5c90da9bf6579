/** What Live and the exports are asked for. */
import { z } from '@hono/zod-openapi';
import type { Property } from '../properties/index.ts';
import { CLASSES, readClasses } from './filter.ts';

export const classes = z
  .union([z.string(), z.array(z.string())])
  .optional()
  .transform((value, context) => {
    const names = readClasses(value === undefined ? [] : [value].flat());
    if (names !== null) return names;
    context.addIssue({ code: 'custom', message: `Classes are ${CLASSES.join(', ')}.` });
    return z.NEVER;
  })
  .openapi({
    type: 'string',
    description: 'ai_bot, ai_referral, sample, event; repeated or separated by commas',
  });
/** Epoch milliseconds or RFC 3339; a bare day is its first moment in UTC. */
export const instant = z
  .string()
  .max(40)
  .transform((text, context) => {
    const at = /^\d{1,15}$/.test(text) ? Number(text) : Date.parse(text);
    if (Number.isFinite(at) && Math.abs(at) < 8.64e15) return at;
    context.addIssue({ code: 'custom', message: 'Enter a time as RFC 3339 or as milliseconds since 1970.' });
    return z.NEVER;
  })
  .optional()
  .openapi({ type: 'string', example: '2026-11-21T00:00:00Z' });

/** The rows of one property in the warehouse. */
export const scopeOf = ({ id, organizationId }: Property) => ({ organizationId, attributionIds: [id] });
