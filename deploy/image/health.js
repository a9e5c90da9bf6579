/** The image's health check: `node health.js [PATH]` ends with 0 if the service in this container answers PATH with 2xx. */
const path = process.argv[2] ?? '/healthz';
const port = process.env.PORT || '8080';
try {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(4_000) });
  if (!answer.ok) {
    process.stderr.write(`${path} answered ${answer.status}: ${(await answer.text()).slice(0, 500)}\n`);
    process.exitCode = 1;
  }
} catch (error) {
  process.stderr.write(`${path}: ${error.message}\n`);
  process.exitCode = 1;
}
