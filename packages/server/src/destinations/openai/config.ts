import { z } from 'zod';
import { idField, limitedDataUseField, secretField, switchField } from '../config-fields.ts';

export const config = z.object({
  pixel_id: idField(/^[A-Za-z0-9_-]{4,80}$/, 'the pixel ID: letters, digits, _ and -', {
    title: 'Pixel ID',
    description:
      'OpenAI Ads Manager → Settings → Conversions: the ID of the data source, the same as in the pixel on your pages. Every event that is to count has to be set up there.',
    example: '2atj5meVpvtJ5kCtqhG3yX',
  }),
  limited_data_use: limitedDataUseField("OpenAI's opt-out from personalisation (opt_out)"),
  send_denied: switchField({
    title: 'Report conversions without consent',
    description:
      'Sends conversions of people who refused advertising too, with opt_out and only the click ID (oppref). Off: they are not sent.',
  }),
});
export type OpenaiConfig = z.infer<typeof config>;

export const credentials = z.object({
  api_key: secretField({
    title: 'Conversions API key',
    description:
      'OpenAI Ads Manager → Settings → Conversions → Manage conversion keys → Create new key. It is shown once. It is neither the key of the OpenAI API nor that of the Advertiser API.',
    example: 'oai-conv-0123456789abcdef',
  }),
});
