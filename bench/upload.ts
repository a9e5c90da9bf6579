/** Posts a file, streamed, and prints the status: node bench/upload.ts FILE URL */
import { createReadStream } from 'node:fs';
import { request } from 'node:http';

const [file = '', url = ''] = process.argv.slice(2);
const upload = request(url, { method: 'POST' }, (response) => {
  response.resume();
  console.log(response.statusCode);
});
createReadStream(file).pipe(upload);
