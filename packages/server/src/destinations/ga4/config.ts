import { z } from 'zod';
import { idField, secretField } from '../config-fields.ts';

/** Where Google takes events in; the second keeps them in the EU until they are processed. */
export const HOSTS = { global: 'www.google-analytics.com', eu: 'region1.google-analytics.com' } as const;

export const config = z.object({
  measurement_id: idField(/^G-[A-Z0-9]{4,20}$/, 'a measurement ID such as G-ABC1234567', {
    title: 'Measurement ID',
    description:
      'Google Analytics → Admin → Data collection and modification → Data streams → your web stream: top right. Use the stream whose tag is on the site.',
    example: 'G-ABC1234567',
  }),
  collection: z
    .enum(['global', 'eu'])
    .default('global')
    .meta({
      title: 'Collection endpoint',
      description: 'Where Google receives the events: “eu” uses the servers of Google in the European Union.',
      examples: ['global', 'eu'],
    }),
});
export type Config = z.infer<typeof config>;

export const credentials = z.object({
  api_secret: secretField({
    title: 'Measurement Protocol API secret',
    description:
      'Google Analytics → Admin → Data streams → your web stream → Measurement Protocol API secrets → Create. Google reports no error if it is wrong, so copy it carefully.',
    example: 'aBcDeFgHiJkLmNoPqRsTuV',
  }),
});
