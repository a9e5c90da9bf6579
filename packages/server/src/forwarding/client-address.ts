/** The visitor's address as platforms may get it. Behind a proxy without TRUST_PROXY, every visitor has the proxy's own. */
import { BlockList, isIP } from 'node:net';

const NOT_PUBLIC = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.168.0.0/16', '224.0.0.0/4', '240.0.0.0/4'],
  ...['::/128', '::1/128', 'fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8'],
];

const refused = createList();

/** @returns null for loopback, private, shared, link-local and multicast addresses, and for what is none: no platform knows a person by them */
export function publicAddress(ip: string): string | null {
  const version = isIP(ip);
  if (version === 0) return null;
  return refused.check(ip, version === 4 ? 'ipv4' : 'ipv6') ? null : ip;
}

function createList(): BlockList {
  const list = new BlockList();
  for (const prefix of NOT_PUBLIC) {
    const [network = '', length = ''] = prefix.split('/');
    list.addSubnet(network, Number(length), isIP(network) === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}
