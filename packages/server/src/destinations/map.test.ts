/** What every platform makes of every topic, of much and of little, in every state of consent: read `golden/` to see it. */
import { TOPICS } from '@ghostlight/core';
import { describe, expect, it } from 'vitest';
import { decide } from './decide.ts';
import type { AnyDestination } from './define.ts';
import type { ConsentFacts, Mapped, Skip } from './port.ts';
import { DESTINATIONS } from './register.ts';
import { conversionOf, OCCURRED } from './testing.ts';
import { sampleOf, VARIANTS } from './testing-samples.ts';

const CONSENTS: Readonly<Record<string, ConsentFacts>> = {
  granted: { advertising: 'granted', analytics: 'granted', saleOfData: null },
  unknown: { advertising: 'unknown', analytics: 'unknown', saleOfData: null },
  'no sale': { advertising: 'granted', analytics: 'granted', saleOfData: false },
  'no ads': { advertising: 'denied', analytics: 'granted', saleOfData: null },
  'no analytics': { advertising: 'granted', analytics: 'denied', saleOfData: null },
};

function outcomeOf(
  destination: AnyDestination,
  topic: (typeof TOPICS)[number],
  variant: string,
  consent: ConsentFacts,
) {
  const { conversion, context } = VARIANTS[variant] ?? { conversion: {}, context: null };
  if (context === null) throw new Error('no such variant');
  return decide(
    destination,
    sampleOf(destination),
    conversionOf({
      topic,
      eventName: topic === 'custom' ? 'Trial started' : null,
      leadType: topic === 'lead' ? 'demo' : null,
      ...conversion,
    }),
    { ...context, consent },
    OCCURRED,
  );
}

const inWords = (outcome: Mapped | Skip): string =>
  'skip' in outcome
    ? `– ${outcome.skip}`
    : `${outcome.name}${outcome.group === undefined ? '' : ` [${outcome.group}]`}${(outcome.notes ?? []).length === 0 ? '' : ' *'}`;

/** A line for each case, then the events of the full one. `*`: sent with a note. */
function table(destination: AnyDestination): string {
  const lines = TOPICS.flatMap((topic) =>
    Object.keys(VARIANTS).flatMap((variant) =>
      Object.entries(CONSENTS).map(([said, consent]) =>
        [topic, variant, said, inWords(outcomeOf(destination, topic, variant, consent))].join(' | '),
      ),
    ),
  );
  const shown = (topic: (typeof TOPICS)[number], said: string): string => {
    const outcome = outcomeOf(destination, topic, 'full', CONSENTS[said] as ConsentFacts);
    const isFirst = topic === 'purchase' && said === 'granted';
    return `${topic}, ${said}: ${JSON.stringify('event' in outcome ? outcome.event : outcome, null, isFirst ? 1 : 0)}`;
  };
  const events = [
    ...Object.keys(CONSENTS).map((said) => shown('purchase', said)),
    ...TOPICS.slice(1).map((topic) => shown(topic, 'granted')),
  ];
  return `${[...lines, '', ...events].join('\n')}\n`;
}

describe.each(DESTINATIONS.map((destination) => [destination.platform, destination] as const))(
  '%s',
  (name, destination) => {
    it('makes of every case what is written down', async () => {
      await expect(table(destination)).toMatchFileSnapshot(`golden/${name}.golden.txt`);
    });

    it('sends less with less consent, and never more', () => {
      for (const topic of TOPICS) {
        const granted = outcomeOf(destination, topic, 'full', CONSENTS['granted'] as ConsentFacts);
        const unknown = outcomeOf(destination, topic, 'full', CONSENTS['unknown'] as ConsentFacts);
        expect('event' in unknown).toBe('event' in granted);
        const said = JSON.stringify(granted);
        const words = JSON.stringify(unknown).match(/"[^"]+"/g) ?? [];
        expect(words.filter((word) => !said.includes(word) && word !== '"unknown"')).toEqual([]);
      }
    });
  },
);
