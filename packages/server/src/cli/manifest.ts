/** `ghostlight manifest`: what a property publishes to agents, and whether to trust what a site serves. */
import { readFile } from 'node:fs/promises';
import {
  type Answer,
  type CommandContext,
  CommandError,
  type Group,
  type Leaf,
  PROPERTY,
} from './command.ts';
import { table } from './output.ts';

const MAX_FILE_BYTES = 512 * 1024;
const PATH = '/api/v1/properties/{id}/webmcp';

interface ManifestState {
  readonly state: string;
  readonly hosts: readonly string[];
  readonly tools: readonly { name: string; page?: string; endpoint?: string }[];
  readonly published: { version: number; published_at: string; expires_at: string; kid: string } | null;
  readonly manifest_url: string;
  readonly issuer_problem: string | null;
}

/** @param change what is asked of the service before the manifest is shown */
const managing = (
  entry: Pick<Leaf, 'name' | 'summary' | 'about' | 'arguments' | 'examples'>,
  change: (context: CommandContext, path: string) => Promise<unknown>,
): Leaf => ({
  ...entry,
  arguments: [PROPERTY, ...(entry.arguments ?? [])],
  json: `GET ${PATH}`,
  async run(context) {
    const path = `/api/v1/properties/${encodeURIComponent(context.argument('PROPERTY'))}/webmcp`;
    await change(context, path);
    const state = (await context.service.call('GET', path)) as ManifestState;
    return { data: state, text: linesOf(state) };
  },
});

export const manifest: Group = {
  name: 'manifest',
  summary: 'verify, publish or rotate a signed WebMCP manifest',
  subcommands: [
    {
      name: 'verify',
      summary: 'fetch a manifest as an agent would, and verify its signature and issuer',
      about: 'Fails where it can’t be trusted. Needs no running service.',
      arguments: [{ name: 'TARGET', about: 'a host, whose well-known address is meant, or a URL' }],
      options: [
        {
          name: 'trust',
          value: 'ORIGIN',
          about: 'issuer whose signature counts, such as https://app.example',
          repeats: true,
        },
        { name: 'trust-dns', about: 'the issuers that the zone’s TXT record names count too' },
        { name: 'host', value: 'HOST', about: 'the site it is for, where the URL is not the site’s own' },
      ],
      json: '{"url", "host", "trusted", "claimed", "ok", "manifest", "issuer", "kid" or "error", "detail"}',
      examples: [
        {
          does: 'What a site serves, signed by an issuer that you trust',
          command: 'ghostlight manifest verify shop.example --trust https://app.example',
        },
      ],
      run: verifyTarget,
    },
    managing(
      {
        name: 'show',
        summary: 'show the published manifest',
        examples: [{ does: 'Of one property', command: 'ghostlight manifest show $PROPERTY' }],
      },
      async () => {},
    ),
    managing(
      {
        name: 'publish',
        summary: 'sign and publish a declaration: {"hosts": […], "tools": […]}',
        arguments: [{ name: 'FILE', about: 'the declaration as JSON, as the API takes it' }],
        examples: [{ does: 'From a file', command: 'ghostlight manifest publish $PROPERTY manifest.json' }],
      },
      async ({ argument, service }, path) =>
        await service.call('PUT', path, await declarationIn(argument('FILE'))),
    ),
    managing(
      {
        name: 'rotate',
        summary: 'sign with a new key; earlier copies no longer verify',
        examples: [{ does: 'Of one property', command: 'ghostlight manifest rotate $PROPERTY' }],
      },
      async ({ service }, path) => await service.call('POST', `${path}/rotate-keys`),
    ),
    managing(
      {
        name: 'unpublish',
        summary: 'withdraw the manifest',
        examples: [{ does: 'Of one property', command: 'ghostlight manifest unpublish $PROPERTY' }],
      },
      async ({ service }, path) => await service.call('DELETE', path),
    ),
  ],
};

async function verifyTarget({ argument, option, flag, config }: CommandContext): Promise<Answer> {
  // Not at import: it opens other rooms, and no other command needs them.
  const { verificationLines, verify } = await import('./manifest-verify.ts');
  const verification = await verify({
    target: argument('TARGET'),
    host: option('host'),
    trust: (option('trust') ?? '').split(',').filter((origin) => origin !== ''),
    trustDns: flag('trust-dns'),
    hosts: config.destinationHosts,
  });
  const { result, ...asked } = verification;
  const lines = verificationLines(verification);
  const data = { ...asked, ...result };
  return result.ok ? { data, text: lines } : { data, failed: lines.join('\n') };
}

/** The file holds what the API takes: `{"hosts": […], "tools": […]}`. */
async function declarationIn(file: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new CommandError(`${file} could not be read (${(error as { code?: string }).code ?? 'unknown'}).`);
  }
  if (text.length > MAX_FILE_BYTES) throw new CommandError(`${file} is too large for a manifest.`);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new CommandError(`${file} is not valid JSON: ${(error as Error).message}`);
  }
}

function linesOf({
  published,
  tools,
  hosts,
  issuer_problem: problem,
  manifest_url: url,
}: ManifestState): string[] {
  if (published === null) return ['Nothing is published.', ...(problem === null ? [] : [problem])];
  const rows = tools.map(({ name, page, endpoint }) => ({ name, place: page ?? endpoint ?? null }));
  return [
    `Version ${published.version} of ${published.published_at}, signed until ${published.expires_at}.`,
    `Key ${published.kid}`,
    `Hosts ${hosts.join(', ')}`,
    url,
    ...(rows.length === 0 ? [] : [table(rows, { name: 'TOOL', place: 'CALLED AT' })]),
  ];
}
