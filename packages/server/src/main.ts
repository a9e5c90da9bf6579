/** The command line: what surrounds it, and its exit code. The commands are in `cli/register.ts`. */
import packageJson from '../package.json' with { type: 'json' };
import { runCommandLine } from './cli/program.ts';
import { commandsFor } from './cli/register.ts';
import { loadConfig } from './config.ts';

// The reader of our output may stop reading (`| head`); that ends no service, and is no fault of a command.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

const argv = process.argv.slice(2);
process.exitCode = await runCommandLine(await commandsFor(argv), argv, {
  version: packageJson.version,
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
  interactive: process.stdout.isTTY === true && process.stderr.isTTY === true,
  loadConfig,
});
