import { useState } from 'react';

const NAMES: Readonly<Record<Theme, string>> = { system: 'System', light: 'Light', dark: 'Dark' };

export function ThemeSection() {
  const [theme, setTheme] = useState(readTheme);
  const choose = (next: Theme) => {
    applyTheme(next);
    setTheme(next);
  };
  return (
    <fieldset className="segments">
      <legend className="visually-hidden">Theme</legend>
      {THEMES.map((name) => (
        <label key={name} data-chosen={name === theme}>
          <input type="radio" name="theme" checked={name === theme} onChange={() => choose(name)} />
          {NAMES[name]}
        </label>
      ))}
    </fieldset>
  );
}

/** Light, dark, or the system's setting. public/theme.js reads the same key before the first paint. */
const KEY = 'ghostlight.theme';

const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

function readTheme(): Theme {
  return THEMES.find((theme) => theme === document.documentElement.dataset['theme']) ?? 'system';
}

function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  try {
    if (theme === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // Without storage the choice lasts for this tab.
  }
}
