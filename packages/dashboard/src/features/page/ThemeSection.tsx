import { useState } from 'react';
import { applyTheme, readTheme, THEME_NAMES, THEMES, type Theme } from '../../format/theme.ts';

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
          {THEME_NAMES[name]}
        </label>
      ))}
    </fieldset>
  );
}
