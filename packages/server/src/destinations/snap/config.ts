import { z } from 'zod';
import { idField, limitedDataUseField, secretField } from '../config-fields.ts';

export const config = z.object({
  pixel_id: idField(
    /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/,
    'a UUID: 36 characters with four hyphens',
    {
      title: 'Snap Pixel ID',
      description: 'Snapchat Ads Manager → Events Manager → your pixel, below its name.',
      example: '1ec32188-754e-4be2-8e55-c949a984a39f',
    },
  ),
  limited_data_use: limitedDataUseField('Snap’s limited data use (LMU)'),
});
export type SnapConfig = z.infer<typeof config>;

export const credentials = z.object({
  access_token: secretField({
    title: 'Conversions API token',
    description:
      'Snapchat Ads Manager → Business details → Conversions API tokens → Generate token. Only administrators of the organization see it.',
    example: 'eyJhbGciOiJIUzI1NiJ9.example.signature',
  }),
});
