/** Pages for those who are not signed in: nothing that is refused there leads away from them. */
const OPEN_PAGES = ['/sign-in', '/forgot-password', '/reset-password', '/welcome', '/invitation'];

export function isOpenPage(path: string): boolean {
  return OPEN_PAGES.includes(path);
}
