/** Who is at the other end, proxies seen through. */
export interface Peer {
  readonly ip: string;
  readonly protocol: 'http' | 'https';
}
