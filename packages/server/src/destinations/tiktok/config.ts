import { z } from 'zod';
import { idField, limitedDataUseField, secretField } from '../config-fields.ts';

export const config = z.object({
  pixel_code: idField(/^[A-Z0-9]{10,32}$/, 'the pixel code: 10 to 32 capital letters and digits', {
    title: 'Pixel ID',
    description: 'TikTok Ads Manager → Tools → Events → Web events → your pixel, below its name.',
    example: 'COQDA8RC77U2TMR44LI0',
  }),
  /** TikTok does not say how old an event may be; 28 days are its longest attribution window, and what one connector documents. */
  max_age_days: z
    .int()
    .min(1)
    .max(28)
    .default(7)
    .meta({
      title: 'Oldest event, in days',
      description:
        'A conversion that happened longer ago is not sent. TikTok attributes for 28 days at most.',
      examples: [7, 28],
    }),
  limited_data_use: limitedDataUseField('TikTok’s limited data use (limited_data_use)'),
});
export type TiktokConfig = z.infer<typeof config>;

export const credentials = z.object({
  access_token: secretField({
    title: 'Access token',
    description:
      'TikTok Ads Manager → Tools → Events → Web events → your pixel → Settings → Events API → Generate access token.',
    example: '0123456789abcdef0123456789abcdef01234567',
  }),
});
