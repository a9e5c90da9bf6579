/** A connection that ends while a request waits for its answer, such as one reused after its reader left. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { silentLog } from '../database/testing.ts';
import { openWarehouse, type Warehouse, WarehouseUnavailable } from './index.ts';

let server: Server;
let warehouse: Warehouse;
let asked: number;

/** An endpoint that cuts so many connections before it answers one. */
async function open(cuts: number): Promise<void> {
  asked = 0;
  server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      asked += 1;
      if (asked <= cuts) request.socket.destroy();
      else
        response
          .writeHead(200, { 'Content-Type': 'application/x-ndjson', 'X-ClickHouse-Query-Id': '1' })
          .end('{"n":1}\n');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  warehouse = await openWarehouse({
    url: `http://127.0.0.1:${port}/default`,
    dataDir: '/nonexistent',
    retentionDays: 400,
    clock: Date.now,
    log: silentLog,
  });
}

afterEach(async () => {
  await warehouse.close();
  server.close();
});

test('a question is asked once more on another connection', async () => {
  await open(1);
  expect(await warehouse.rows('report', { sql: 'SELECT 1 AS n', settings: {} })).toEqual([{ n: 1 }]);
  expect(asked).toBe(2);
});

test('a caller that is cut off twice learns that the warehouse is down, not that something is wrong', async () => {
  await open(100);
  await expect(warehouse.rows('report', { sql: 'SELECT 1 AS n', settings: {} })).rejects.toThrow(
    WarehouseUnavailable,
  );
  expect(asked).toBe(2);
});
