/** The shape of what is coming: figures, a chart, a list. Nothing jumps when it is there. */
export function ReportSkeleton({ label }: { label: string }) {
  return (
    <div className="report-skeleton" role="status" aria-label={label}>
      <div className="card" data-shape="figures" />
      <div className="card" data-shape="chart" />
      <div className="card" data-shape="list" />
    </div>
  );
}
