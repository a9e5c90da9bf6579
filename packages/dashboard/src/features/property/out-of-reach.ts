/** Whether an address can only be reached from this machine or its network. */
export function isOutOfReach(address: string): boolean {
  let host: string;
  try {
    host = new URL(address).hostname;
  } catch {
    return true;
  }
  const isPrivate =
    /^\d+(?:\.\d+){3}$/.test(host) &&
    /^(?:127|10|192\.168|172\.(?:1[6-9]|2\d|3[01])|169\.254|0)\./.test(host);
  return isPrivate || !host.includes('.') || /\.(?:localhost|local|internal|lan|home\.arpa)$/.test(host);
}

/** Whether an address leads to the machine itself. */
export function isLoopback(address: string): boolean {
  const host = URL.parse(address)?.hostname ?? '';
  return /^(?:localhost|127\.[\d.]+|\[::1\])$|\.localhost$/.test(host);
}

/** The first address in a text that others can't reach; null: none. */
export function localAddressIn(text: string): string | null {
  const found = text.match(/https?:\/\/[^\s"'<>\\,;)]+/g) ?? [];
  return found.find((address) => isOutOfReach(address)) ?? null;
}
