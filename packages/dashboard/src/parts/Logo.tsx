/** The logo: a ghost light, the lamp left burning on an empty stage. */
export function Logo({ size = 26, breathing = false }: { size?: number; breathing?: boolean }) {
  return (
    <svg
      className={breathing ? 'logo logo-breathing' : 'logo'}
      width={size}
      height={size}
      viewBox="0 0 32 32"
      aria-hidden="true"
    >
      <circle className="logo-glow" cx="16" cy="11.5" r="11" />
      <path
        className="logo-lamp"
        d="M16 3.8a7.4 7.4 0 0 0-4.5 13.3c.9.7 1.4 1.5 1.4 2.4h6.2c0-.9.5-1.7 1.4-2.4A7.4 7.4 0 0 0 16 3.8z"
      />
      <path className="logo-stand" d="M12.9 21.9h6.2M16 23.6v5.2M10.8 29.2h10.4" />
    </svg>
  );
}
