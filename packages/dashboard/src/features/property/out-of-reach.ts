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
