interface SplitBarProps {
  /** In order from the left. */
  parts: readonly { key: string; paint: string; value: number }[];
  /** What the whole width stands for; the sum of the parts when left out. */
  of?: number;
  width?: number;
  height?: number;
  /** As wide as its container; `width` is then only the resolution. */
  wide?: boolean;
}

/** Shares of a whole, drawn beside the figures. */
export function SplitBar({ parts, of, width = 120, height = 8, wide = false }: SplitBarProps) {
  const whole = Math.max(of ?? parts.reduce((sum, { value }) => sum + value, 0), Number.MIN_VALUE);
  let from = 0;
  return (
    <svg
      className="split-bar"
      data-wide={wide}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <rect className="split-bar-whole" width={width} height={height} rx={height / 2} />
      {parts.map(({ key, paint, value }) => {
        const left = from;
        const wide = (value / whole) * width;
        from += wide;
        // Even the smallest part stays visible.
        return value > 0 ? (
          <rect
            key={key}
            data-paint={paint}
            x={left}
            width={Math.max(2, wide - 1)}
            height={height}
            rx="1.5"
          />
        ) : null;
      })}
    </svg>
  );
}
