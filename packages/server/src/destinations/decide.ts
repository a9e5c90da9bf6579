/** Conversion → event of a platform, or why there is none. Everything that can be decided without sending anything. */
import type { AnyDestination } from './define.ts';
import { isTooOld, mayBeSent, resolveEvent } from './gates.ts';
import type { EventMapping, ForwardedConversion, Mapped, MatchContext, Skip } from './port.ts';

export interface DestinationSettings {
  /** As stored, or as the platform's schema parsed it. */
  readonly config: unknown;
  readonly events: EventMapping;
}

/**
 * Mapping, consent, age, then the platform's own rules. The first that says no is the reason that is shown, so they are in the order
 * in which an operator would fix them.
 *
 * @param now epoch ms
 */
export function decide(
  destination: AnyDestination,
  settings: DestinationSettings,
  conversion: ForwardedConversion,
  context: MatchContext,
  now: number,
): Mapped | Skip {
  const event = resolveEvent(destination.events, settings.events, conversion);
  if ('skip' in event) return event;
  if (!mayBeSent(destination.consent(settings.config), context.consent)) return { skip: 'consent_denied' };
  if (isTooOld(destination.limits(settings.config), conversion.occurredAt, now)) return { skip: 'too_old' };
  return destination.map(conversion, context, settings.config, event.name);
}
