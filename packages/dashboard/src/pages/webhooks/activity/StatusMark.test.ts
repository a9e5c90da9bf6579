import { expect, it } from 'vitest';
import { statusWords } from './StatusMark.tsx';

it('names the outcome of a request, and shows an unknown status as received', () => {
  expect(statusWords('auth_error')).toEqual({ tone: 'bad', title: 'Key rejected' });
  expect(statusWords('held_back')).toEqual({ tone: 'unknown', title: 'held back' });
});

it('names the outcome of a shop’s delivery in its own words', () => {
  expect(statusWords('validation_error', 'woocommerce').title).toBe('Order not usable');
  expect(statusWords('auth_error', 'shopify').title).toBe('Signature rejected');
  expect(statusWords('success', 'shopify').title).toBe('Received');
});
