/** Which property was open last in this browser, so that coming back leads there. */
const KEY = 'ghostlight.property';

export function lastProperty(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export function rememberProperty(id: string): void {
  try {
    localStorage.setItem(KEY, id);
  } catch {
    // A browser that keeps nothing opens the first property.
  }
}
