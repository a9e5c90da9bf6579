import { expect, it } from 'vitest';
import { publicAddress } from './client-address.ts';

it.each([
  ...['127.0.0.1', '10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', '169.254.1.1'],
  ...['0.0.0.0', '224.0.0.1', '255.255.255.255', '::1', '::', 'fe80::1', 'fd12::1', 'fec0::1', 'ff02::1'],
  ...['::ffff:127.0.0.1', '::ffff:10.0.0.1', '', 'localhost', '1.2.3', '1.2.3.4.5'],
])('%s is no address of a person', (ip) => {
  expect(publicAddress(ip)).toBeNull();
});

it.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1', '::ffff:8.8.8.8'])('%s is one', (ip) => {
  expect(publicAddress(ip)).toBe(ip);
});
