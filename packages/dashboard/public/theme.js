// Runs before the first paint, so that a reader who chose a theme never sees the other one flash. A file of its own because the policy
// forbids inline scripts. src/format/theme.ts writes the same key.
try {
  const theme = localStorage.getItem('ghostlight.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is closed to us: the system's theme stands.
}
