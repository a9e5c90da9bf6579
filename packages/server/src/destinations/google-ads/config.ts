import { z } from 'zod';
import { idField, secretField, switchField } from '../config-fields.ts';
import { readServiceAccount } from './service-account.ts';

const CUSTOMER_ID = /^\d{3}-?\d{3}-?\d{4}$/;

export const config = z.object({
  customer_id: idField(CUSTOMER_ID, 'ten digits such as 123-456-7890', {
    title: 'Customer ID',
    description:
      'Google Ads, top right, next to your account’s name. It has to be the account that owns the conversion actions (Goals → Conversions → Settings → “Conversion account”), which may be a manager account.',
    example: '123-456-7890',
  }),
  login_customer_id: idField(CUSTOMER_ID, 'ten digits such as 987-654-3210', {
    title: 'Manager account (optional)',
    description:
      'Only if the Google user or service account below has access through a manager account and not to the account itself: the manager’s customer ID.',
    example: '987-654-3210',
  }).optional(),
  merchant_center: switchField({
    title: 'Product IDs are those of Merchant Center',
    description:
      'On if the product IDs in your orders are the IDs of your Merchant Center feed: Google Ads then reports conversions with cart data.',
  }),
});
export type Config = z.infer<typeof config>;

const USER = ['client_id', 'client_secret', 'refresh_token'] as const;

/** A Google user's consent or a service account's key. */
export const credentials = z
  .object({
    client_id: secretField({
      title: 'OAuth client ID',
      description:
        'console.cloud.google.com → APIs & Services → Credentials → your OAuth client. The project needs the “Data Manager API” enabled. Leave all three OAuth fields empty if you use a service account.',
      example: '123456789012-abc123.apps.googleusercontent.com',
    }).optional(),
    client_secret: secretField({
      title: 'OAuth client secret',
      description: 'Next to the client ID.',
      example: 'GOCSPX-example0123456789',
    }).optional(),
    refresh_token: secretField({
      title: 'Refresh token',
      description:
        'The token of a Google user with access to the account, for the scope https://www.googleapis.com/auth/datamanager (for example from developers.google.com/oauthplayground, “Use your own OAuth credentials”). An OAuth app “in testing” issues tokens that expire after 7 days, so publish it.',
      example: '1//0gAbCdEfExample',
    }).optional(),
    service_account_key: z
      .string()
      .trim()
      .max(8192, 'Must have at most 8192 characters.')
      .refine((text) => readServiceAccount(text) !== null, {
        message: 'Must be the whole JSON file of a service account’s key, with client_email and private_key.',
      })
      .meta({
        title: 'Service account key (instead of OAuth)',
        description:
          'console.cloud.google.com → IAM & Admin → Service accounts → Keys → Add key → JSON: the content of the file. Then add the service account’s email address as a user in Google Ads (Admin → Access and security).',
        multiline: true,
      })
      .optional(),
  })
  .refine(
    (given) => given.service_account_key !== undefined || USER.every((name) => given[name] !== undefined),
    {
      message: 'Enter OAuth client ID, client secret and refresh token, or a service account key.',
      path: ['refresh_token'],
    },
  );
