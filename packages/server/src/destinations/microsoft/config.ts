import { z } from 'zod';
import { idField, secretField, switchField } from '../config-fields.ts';

export const config = z.object({
  tag_id: idField(/^[0-9]{5,12}$/, 'the number of the UET tag', {
    title: 'UET tag ID',
    description: 'Microsoft Advertising → Conversions → UET tag: the number in the column Tag ID.',
    example: '187012345',
  }),
  /**
   * Microsoft's guide drops dots and tags at every domain, say three connectors that cite it, one of them with its example; Segment and
   * PostHog only trim and lower the case. The guide itself could not be read. A site whose own tag hashes by another rule has to be
   * followed, hence the choice.
   */
  email_rule: z
    .enum(['microsoft', 'plain'])
    .default('microsoft')
    .meta({
      title: 'Email addresses are hashed',
      description:
        "microsoft: without dots and +tags before the @, as Microsoft's guide asks. plain: only trimmed and in lower case, for sites whose own UET code hashes them that way.",
      examples: ['microsoft', 'plain'],
    }),
  send_denied: switchField({
    title: 'Report conversions without consent',
    description:
      'Sends conversions of people who refused advertising too, with adStorageConsent "D" and only the click ID, so that Microsoft can model them. Off: they are not sent.',
  }),
});
export type MicrosoftConfig = z.infer<typeof config>;

export const credentials = z.object({
  access_token: secretField({
    title: 'Conversions API token',
    description:
      'The token of the UET tag (ApiToken). Microsoft gives it out on request: ask your account manager or Microsoft Advertising support. It is not the developer token of the Microsoft Advertising API.',
    example: 'EwB4A8l6BAAUbDba3x2OMJElkF7gJ4z_example',
  }),
});
