/** The cookies of the dashboard: read and written under a name that only this host's https pages can set, wherever https is. */

/** Set by a `Set-Cookie` over https of this very host alone: a host beside this one, or a page over http, can plant no such cookie. */
const HOST_ONLY = '__Host-';

export interface Cookies {
  /** undefined where there is none, or an empty one. */
  read(request: Request, peer: Peer, name: string): string | undefined;
  /** @returns the `Set-Cookie` value; an empty value with age 0 removes the cookie */
  write(request: Request, peer: Peer, name: string, value: string, maxAgeSeconds: number): string;
}

/** @param appBaseUrl where the dashboard stands: a proxy may end https in front of us without saying so */
export function createCookies(appBaseUrl: () => string): Cookies {
  const isSecure = (request: Request, { protocol }: Pick<Peer, 'protocol'>): boolean => {
    if (protocol === 'https') return true;
    const { protocol: own, host } = new URL(appBaseUrl());
    return own === 'https:' && request.headers.get('host')?.toLowerCase() === host;
  };
  return {
    read(request, peer, name) {
      // The one name that `write` uses here: over https a plain one may have been planted, or outlive a sign-out.
      const full = isSecure(request, peer) ? HOST_ONLY + name : name;
      const cookies = (request.headers.get('cookie') ?? '').split(';').map((part) => part.trim());
      return cookies.find((cookie) => cookie.startsWith(`${full}=`))?.slice(full.length + 1) || undefined;
    },
    write(request, peer, name, value, maxAgeSeconds) {
      const secure = isSecure(request, peer);
      const cookie = `${secure ? HOST_ONLY : ''}${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax`;
      return secure ? `${cookie}; Secure` : cookie;
    },
  };
}

/** Who is at the other end, proxies seen through. */
export interface Peer {
  readonly ip: string;
  readonly protocol: 'http' | 'https';
}
