/** Light, dark, or the system's setting. public/theme.js reads the same key before the first paint. */
const KEY = 'ghostlight.theme';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export const THEME_NAMES: Readonly<Record<Theme, string>> = {
  system: 'System',
  light: 'Light',
  dark: 'Dark',
};

export function readTheme(): Theme {
  return THEMES.find((theme) => theme === document.documentElement.dataset['theme']) ?? 'system';
}

export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  try {
    if (theme === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // Without storage the choice lasts for this tab.
  }
}

/** The opposite of what is seen now. */
export function otherTheme(): Theme {
  const theme = readTheme();
  const isDark = theme === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
  return isDark ? 'light' : 'dark';
}

/** Takes the next one of the three. */
export function nextTheme(): void {
  applyTheme(THEMES[(THEMES.indexOf(readTheme()) + 1) % THEMES.length] ?? 'system');
}
