/** Every command, in the order of the help. To add one, write its entry in a file of this folder and list it here. */
import { alerts } from './alerts.ts';
import { deliveries } from './deliveries.ts';
import { demo } from './demo/index.ts';
import { destinations } from './destinations.ts';
import { doctor } from './doctor.ts';
import { keys } from './keys.ts';
import { lists } from './lists.ts';
import { manifest } from './manifest.ts';
import { migrate } from './migrate.ts';
import { people } from './people.ts';
import type { Section } from './program.ts';
import { properties } from './properties.ts';
import { rollup } from './rollup.ts';
import { serve } from './serve.ts';
import { spool } from './spool.ts';
import { visitors } from './visitors.ts';
import { webhooks } from './webhooks.ts';

export const SECTIONS: readonly Section[] = [
  { title: 'Service:', commands: [serve, demo, doctor, spool, migrate] },
  { title: 'Visits:', commands: [properties, keys, lists, rollup, alerts] },
  { title: 'Agents:', commands: [manifest] },
  { title: 'Conversions:', commands: [webhooks, destinations, deliveries] },
  { title: 'People:', commands: [people, visitors] },
];
