/** Which addresses the service may connect to for a name that a user entered: a vendor's or a customer's name that resolves into our own network must lead nowhere. */
import { BlockList, isIPv4 } from 'node:net';

// RFC 6890 and successors: this network, private, CGNAT, loopback, link-local (with the cloud's metadata address), documentation,
// benchmarking, multicast, reserved.
const V4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24'],
  ...['203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
];
/** `BlockList` holds IPv4-mapped addresses to the IPv4 rules by itself; a rule for `::ffff:0:0/96` would refuse all of IPv4. Unique local, link-local, site-local, multicast, documentation, segment routing, and the forms that carry an IPv4 address inside (NAT64, 6to4, Teredo, translated). */
const V6 = [
  ...['::/96', '64:ff9b::/96', '64:ff9b:1::/48', '100::/64', '2001::/32', '2001:db8::/32'],
  ...['::ffff:0:0:0/96', '2002::/16', '3fff::/20', '5f00::/16'],
  ...['fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8'],
];

export function createAddressGuard(): (address: string) => boolean {
  const refused = new BlockList();
  for (const [list, family] of [
    [V4, 'ipv4'],
    [V6, 'ipv6'],
  ] as const) {
    for (const prefix of list) {
      const [network = '', length = ''] = prefix.split('/');
      refused.addSubnet(network, Number(length), family);
    }
  }
  return (address) => !refused.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}
