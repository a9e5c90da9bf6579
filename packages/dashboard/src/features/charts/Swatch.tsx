/** The colour of a series beside its name. */
export function Swatch({ paint }: { paint: string }) {
  return (
    <svg className="swatch" width="9" height="9" viewBox="0 0 9 9" aria-hidden="true">
      <rect data-paint={paint} width="9" height="9" rx="2" />
    </svg>
  );
}
