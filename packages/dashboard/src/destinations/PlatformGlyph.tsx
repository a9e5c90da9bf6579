/** Letters in a tile, of ours: the platforms' own marks are theirs. */
const LETTERS: Readonly<Record<string, string>> = {
  meta: 'Me',
  google_ads: 'Ga',
  ga4: 'G4',
  tiktok: 'Tt',
  linkedin: 'Li',
  microsoft: 'Ms',
  pinterest: 'Pi',
  snap: 'Sn',
  reddit: 'Re',
  openai: 'Oa',
};

/** Decoration: the name stands beside it. */
export function PlatformGlyph({ platform, size = 36 }: { platform: string; size?: number }) {
  const letters = LETTERS[platform];
  return (
    <svg className="platform-glyph" width={size} height={size} viewBox="0 0 36 36" aria-hidden="true">
      <rect x="0.5" y="0.5" width="35" height="35" rx="9" />
      {platform === 'webhook' || letters === undefined ? (
        <path d="M18 8.5v12M12.5 15.5 18 21l5.5-5.5M9.5 21.5v4a2 2 0 0 0 2 2h13a2 2 0 0 0 2-2v-4" />
      ) : (
        <text x="18" y="23.4" textAnchor="middle">
          {letters}
        </text>
      )}
    </svg>
  );
}
