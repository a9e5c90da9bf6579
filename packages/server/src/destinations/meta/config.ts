import { z } from 'zod';
import { idField, limitedDataUseField, secretField } from '../config-fields.ts';

export const config = z.object({
  pixel_id: idField(/^\d{5,20}$/, 'the number of a dataset, only digits', {
    title: 'Dataset ID (Pixel ID)',
    description:
      'Meta Events Manager → Data sources → choose the dataset → Settings: the number under “Dataset ID”. Use the one whose pixel is on the site, so the pixel and server event are counted as one order.',
    example: '1234567890123456',
  }),
  api_version: idField(/^v\d{1,3}\.\d{1,2}$/, 'a version of the Graph API such as v25.0', {
    title: 'Graph API version',
    description:
      'Leave it as it is. Meta retires a version after about two years and names the date in advance.',
    example: 'v25.0',
  }).default('v25.0'),
  limited_data_use: limitedDataUseField('Limited Data Use (LDU)'),
});
export type Config = z.infer<typeof config>;

export const credentials = z.object({
  access_token: secretField({
    title: 'Access token',
    description:
      'Meta Events Manager → your dataset → Settings → Conversions API → “Set up manually” → Generate access token. Meta shows it once.',
    example: 'EAAGm0PX4ZCpsBAKZCexample',
  }),
  app_secret: secretField({
    title: 'App secret (optional)',
    description:
      'Only if “Require App Secret” is on for your app (developers.facebook.com → your app → App settings → Basic). Requests are then signed with it; it is never sent.',
    example: '0123456789abcdef0123456789abcdef',
  }).optional(),
});
