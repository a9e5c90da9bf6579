/** Scheduled backups in Prometheus, of this node. */
import { Counter, Gauge, type Registry } from 'prom-client';

export interface BackupFigures {
  readonly everyMs: number;
  readonly lastAt: number | null;
  readonly lastBytes: number;
  readonly failures: number;
}

/** @param read null: none are scheduled */
export function addBackupMetrics(registry: Registry, read: () => BackupFigures | null): void {
  const gauge = (name: string, help: string, value: (figures: BackupFigures) => number) =>
    new Gauge({
      ...{ name, help, registers: [registry] },
      collect() {
        const figures = read();
        this.set(figures === null ? 0 : value(figures));
      },
    });
  gauge(
    'ghostlight_backup_interval_seconds',
    'Time between scheduled backups of this node; 0: none are scheduled.',
    ({ everyMs }) => everyMs / 1_000,
  );
  gauge(
    'ghostlight_backup_last_timestamp_seconds',
    'Moment of the newest scheduled backup; 0: there is none.',
    ({ lastAt }) => (lastAt ?? 0) / 1_000,
  );
  gauge(
    'ghostlight_backup_last_size_bytes',
    'Size of the newest scheduled backup.',
    ({ lastBytes }) => lastBytes,
  );
  new Counter({
    name: 'ghostlight_backups_failed_total',
    help: 'Scheduled backups of this node that failed, since its start.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(read()?.failures ?? 0);
    },
  });
}
