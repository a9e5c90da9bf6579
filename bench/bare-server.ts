/** The yardstick: a node:http server that reads the body and answers 204, nothing else. Prints its port. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const server = createServer((request, response) => {
  request.on('data', () => {});
  request.on('end', () => {
    response.statusCode = 204;
    response.end();
  });
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
