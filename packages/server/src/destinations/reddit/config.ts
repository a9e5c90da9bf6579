import { z } from 'zod';
import { idField, limitedDataUseField, secretField } from '../config-fields.ts';

export const config = z.object({
  pixel_id: idField(/^[at][0-9]_[a-z0-9]{4,32}$/, 'the pixel ID, as in a2_gu5yg1ki8lp4', {
    title: 'Pixel ID',
    description: 'Reddit Ads → Events Manager → your pixel: it begins with a2_ (older ones with t2_).',
    example: 'a2_gu5yg1ki8lp4',
  }),
  limited_data_use: limitedDataUseField('Reddit’s limited data use (LDU)'),
});
export type RedditConfig = z.infer<typeof config>;

export const credentials = z.object({
  access_token: secretField({
    title: 'Conversion access token',
    description:
      'Reddit Ads → Events Manager → your pixel → Conversions API → Generate access token. It does not expire.',
    example: 'eyJhbGciOiJSUzI1NiIsImtpZCI6.example.signature',
  }),
});
