import { CompanyMark } from '../marks/CompanyMark.tsx';

/** As wide as a company's mark beside a line of text. */
const SMALL = 23;

/** Decorative: the name is beside it. An endpoint of the operator's own has an arrow. */
export function PlatformGlyph({ platform, size = 36 }: { platform: string; size?: 22 | 24 | 36 }) {
  if (platform !== 'webhook') return <CompanyMark of={platform} size={size} />;
  const side = size === 36 ? size : SMALL;
  return (
    <svg className="platform-glyph" width={side} height={side} viewBox="0 0 36 36" aria-hidden="true">
      <rect x="0.5" y="0.5" width="35" height="35" rx="9" />
      <path d="M16 12h-4a2 2 0 0 0-2 2v10a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2v-4M19.5 9.5h7v7M26 10 17.5 18.5" />
    </svg>
  );
}
