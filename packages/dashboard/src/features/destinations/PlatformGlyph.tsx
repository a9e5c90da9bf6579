/** Letters in a tile: the platforms' logos are trademarks. */
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

/** Decorative: the name is beside it. */
export function PlatformGlyph({ platform, size = 36 }: { platform: string; size?: number }) {
  const letters = LETTERS[platform];
  return (
    <svg className="platform-glyph" width={size} height={size} viewBox="0 0 36 36" aria-hidden="true">
      <rect x="0.5" y="0.5" width="35" height="35" rx="9" />
      {platform === 'webhook' || letters === undefined ? (
        <path d="M16 12h-4a2 2 0 0 0-2 2v10a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2v-4M19.5 9.5h7v7M26 10 17.5 18.5" />
      ) : (
        <text x="18" y="23.4" textAnchor="middle">
          {letters}
        </text>
      )}
    </svg>
  );
}
