/** `ghostlight manifest`: what a property publishes to agents, and whether what a site serves may be believed. */
import { readFile } from 'node:fs/promises';
import { type ApiClient, CommandError, connect } from './client.ts';
import type { Command, CommandContext } from './command.ts';
import { verificationLines, verify } from './manifest-verify.ts';
import { table } from './output.ts';

const MAX_FILE_BYTES = 512 * 1024;

interface ManifestState {
  readonly state: string;
  readonly hosts: readonly string[];
  readonly tools: readonly { name: string; page?: string; endpoint?: string }[];
  readonly published: { version: number; published_at: string; expires_at: string; kid: string } | null;
  readonly manifest_url: string;
  readonly issuer_problem: string | null;
}

export const manifest: Command = {
  name: 'manifest',
  usage:
    'verify URL|HOST [--trust ORIGIN]… [--trust-dns] [--host HOST] [--json] | show PROPERTY | publish PROPERTY FILE | rotate PROPERTY | unpublish PROPERTY',
  summary: 'verify, publish or rotate a signed WebMCP manifest',
  flags: ['trust-dns', 'json'],
  async run(context) {
    const [verb, subject, file] = context.words;
    if (verb === 'verify' && subject !== undefined) return await verifyTarget(context, subject);
    const change = verb === 'publish' && file !== undefined ? await declarationIn(file) : null;
    const known = change !== null || verb === 'show' || verb === 'rotate' || verb === 'unpublish';
    if (!known || subject === undefined)
      throw new CommandError(`Usage: ghostlight manifest ${manifest.usage}`);
    const client = await connect(context.config);
    try {
      await manage(
        client,
        { verb, path: `/api/v1/properties/${encodeURIComponent(subject)}/webmcp`, change },
        context,
      );
    } finally {
      await client.close();
    }
  },
};

async function verifyTarget({ options, config, print }: CommandContext, target: string): Promise<void> {
  const verification = await verify({
    target,
    host: options.get('host'),
    trust: (options.get('trust') ?? '').split(',').filter((origin) => origin !== ''),
    trustDns: options.has('trust-dns'),
    hosts: config.destinationHosts,
  });
  const { result, ...asked } = verification;
  const lines = verificationLines(verification);
  if (options.has('json')) print(JSON.stringify({ ...asked, ...result }));
  if (!result.ok) throw new CommandError(lines.join('\n'));
  if (!options.has('json')) print(lines.join('\n'));
}

/** The file holds what the API takes: `{"hosts": […], "tools": […]}`. */
async function declarationIn(file: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new CommandError(`${file} could not be read (${(error as { code?: string }).code ?? 'unknown'}).`);
  }
  if (text.length > MAX_FILE_BYTES) throw new CommandError(`${file} is larger than any manifest.`);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new CommandError(`${file} is no JSON: ${(error as Error).message}`);
  }
}

async function manage(
  client: ApiClient,
  { verb, path, change }: { verb: string | undefined; path: string; change: unknown },
  { print }: CommandContext,
): Promise<void> {
  if (verb === 'publish') await client.call('PUT', path, change);
  else if (verb === 'rotate') await client.call('POST', `${path}/rotate-keys`);
  else if (verb === 'unpublish') await client.call('DELETE', path);
  const state = (await client.call('GET', path)) as ManifestState;
  const { published, tools, hosts } = state;
  if (published === null) {
    print('Nothing is published.');
    if (state.issuer_problem !== null) print(state.issuer_problem);
    return;
  }
  print(`Version ${published.version} of ${published.published_at}, signed until ${published.expires_at}.`);
  print(`Key ${published.kid}`);
  print(`Hosts ${hosts.join(', ')}`);
  print(state.manifest_url);
  const rows = tools.map(({ name, page, endpoint }) => ({ name, place: page ?? endpoint ?? null }));
  if (rows.length > 0) print(table(rows, { name: 'TOOL', place: 'CALLED AT' }));
}
