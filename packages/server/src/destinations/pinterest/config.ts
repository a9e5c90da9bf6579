import { z } from 'zod';
import { idField, limitedDataUseField, secretField } from '../config-fields.ts';

export const config = z.object({
  ad_account_id: idField(/^[0-9]{1,18}$/, 'the number of the ad account', {
    title: 'Ad account ID',
    description:
      'Pinterest Ads Manager: the number below the name of the account, in the menu at the top left.',
    example: '549755885175',
  }),
  limited_data_use: limitedDataUseField('Pinterest’s limited data processing (LDP)'),
});
export type PinterestConfig = z.infer<typeof config>;

export const credentials = z.object({
  access_token: secretField({
    title: 'Conversion access token',
    description:
      'Pinterest Ads Manager → Conversions → Conversions API → Generate new token. It belongs to the person who generates it, who has to keep access to the account.',
    example: 'pina_EXAMPLEEXAMPLEEXAMPLE',
  }),
});
