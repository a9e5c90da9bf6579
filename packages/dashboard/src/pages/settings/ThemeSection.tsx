import { useState } from 'react';
import { applyTheme, readTheme, THEMES, type Theme } from './theme.ts';

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
