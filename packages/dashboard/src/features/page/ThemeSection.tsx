import { useState, useSyncExternalStore } from 'react';
import { applyTheme, readTheme, THEME_NAMES, THEMES, type Theme } from '../../format/theme.ts';
import './theme.css';

export function ThemeSection() {
  const [theme, setTheme] = useState(readTheme);
  const system = useSyncExternalStore(onSystemChange, systemScheme);
  const choose = (next: Theme) => {
    applyTheme(next);
    setTheme(next);
  };
  return (
    <fieldset className="themes">
      <legend className="visually-hidden">Theme</legend>
      {THEMES.map((name) => (
        <label key={name} className="theme" data-chosen={name === theme}>
          <Preview theme={name} />
          <span>
            <input type="radio" name="theme" checked={name === theme} onChange={() => choose(name)} />
            {THEME_NAMES[name]}
            {name === 'system' && <span className="theme-now">(now {system})</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

const DARK = matchMedia('(prefers-color-scheme: dark)');
const systemScheme = () => (DARK.matches ? 'dark' : 'light');
function onSystemChange(changed: () => void): () => void {
  DARK.addEventListener('change', changed);
  return () => DARK.removeEventListener('change', changed);
}

/** The dashboard in small, in its own colours; that of the system has both. */
function Preview({ theme }: { theme: Theme }) {
  return (
    <span className="theme-preview" aria-hidden="true">
      {(theme === 'system' ? (['light', 'dark'] as const) : [theme]).map((scheme) => (
        <span key={scheme} className="theme-page" data-scheme={scheme}>
          <i className="theme-rail" />
          <i className="theme-card" />
          <i className="theme-bars" />
        </span>
      ))}
    </span>
  );
}
