/** Each statement as a part of what is traced when it runs: what it does to which table, and how many rows it gave. Never its text, which may hold values. */
import { annotate, asPart, type SpanWork } from '../common/index.ts';
import type { LaneName } from './embedded/protocol.ts';
import type { Warehouse } from './warehouse.ts';

export function withSpans(warehouse: Warehouse): Warehouse {
  return {
    ...warehouse,
    rows: <Row>(...[lane, statement, signal]: Parameters<Warehouse['rows']>) =>
      asPart(workOf(statement.sql, lane), async () => {
        const rows = await warehouse.rows<Row>(lane, statement, signal);
        annotate(() => ({ 'db.response.returned_rows': rows.length }));
        return rows;
      }),
    command: (statement, lane = 'write') =>
      asPart(workOf(statement.sql, lane), () => warehouse.command(statement, lane)),
    insertRows: (table, settings, body) =>
      asPart(workOf(`INSERT INTO ${table}`, 'write', { 'ghostlight.bytes': body.length }), () =>
        warehouse.insertRows(table, settings, body),
      ),
  };
}

/** The first table that a statement names stands for it: `SELECT hits`. */
export function workOf(sql: string, lane: LaneName, more: SpanWork['attributes'] = {}): SpanWork {
  const [, first = ''] = /^\s*([A-Za-z]+)/.exec(sql) ?? [];
  const operation = first.toUpperCase() === 'WITH' ? 'SELECT' : first.toUpperCase();
  const [, table = ''] = /\b(?:FROM|INTO|TABLE|UPDATE)\s+([a-z][a-z0-9_.]*)/.exec(sql) ?? [];
  return {
    name: `${operation} ${table}`.trim(),
    kind: 'client',
    attributes: {
      'db.system.name': 'clickhouse',
      'db.operation.name': operation,
      ...(table === '' ? {} : { 'db.collection.name': table }),
      'ghostlight.lane': lane,
      ...more,
    },
  };
}
