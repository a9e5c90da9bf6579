/** `ghostlight people`: who may sign in, what they may do, and links for those who can't. */
import { type ApiClient, CommandError, connect } from './client.ts';
import type { Command, CommandContext } from './command.ts';
import { type Row, table } from './output.ts';

interface Member {
  readonly person_id: string;
  readonly email: string;
}

export const people: Command = {
  name: 'people',
  usage:
    'list | invite EMAIL [--role owner|admin|viewer] | role EMAIL owner|admin|viewer | remove EMAIL | reset EMAIL [--second-factor-off] | welcome; each but reset and welcome with [--organization ID]',
  summary: 'list members, invite, change and remove them; a link to choose a new password',
  flags: ['second-factor-off'],
  async run(context) {
    const work = workOf(context);
    if (work === null) throw new CommandError(`Usage: ghostlight people ${people.usage}`);
    const client = await connect(context.config);
    try {
      await work(client);
    } finally {
      await client.close();
    }
  },
};

type Work = (client: ApiClient) => Promise<void>;

function workOf({ words, options, print }: CommandContext): Work | null {
  const [verb = 'list', email, role] = words;
  const organization = options.get('organization');
  const query = organization === undefined ? '' : `?organization=${encodeURIComponent(organization)}`;
  const members = `/api/v1/organization/members`;
  if (verb === 'list') {
    return async (client) => {
      const { items } = (await client.call('GET', members + query)) as { items: Row[] };
      const columns = {
        email: 'E-MAIL',
        name: 'NAME',
        role: 'ROLE',
        totp: 'SECOND FACTOR',
        joined_at: 'SINCE',
      };
      print(items.length === 0 ? 'Nobody yet.' : table(items, columns));
    };
  }
  if (verb === 'welcome') {
    return async (client) => {
      const { link } = (await client.call('POST', '/api/v1/people/welcome-links')) as { link: string };
      print(link);
      print('It makes the first owner; it works once, for 24 hours.');
    };
  }
  if (email === undefined) return null;
  if (verb === 'invite') {
    return async (client) => {
      const body = { email, role: options.get('role') ?? 'viewer' };
      const { link } = (await client.call('POST', `/api/v1/organization/invitations${query}`, body)) as {
        link: string | null;
      };
      print(link ?? `The invitation was mailed to ${email}.`);
      print('It works once, for 7 days.');
    };
  }
  if (verb === 'reset') {
    return async (client) => {
      const { link } = (await client.call('POST', '/api/v1/people/password-resets', {
        email,
        second_factor_off: options.has('second-factor-off'),
      })) as {
        link: string;
      };
      print(link);
      print('With it a new password is chosen; it works once, for an hour.');
    };
  }
  if (verb === 'remove' || (verb === 'role' && role !== undefined)) {
    return async (client) => {
      const path = `${members}/${await memberId(client, members + query, email)}${query}`;
      if (verb === 'remove') await client.call('DELETE', path);
      else await client.call('PATCH', path, { role });
      print(verb === 'remove' ? `Removed ${email}.` : `${email} is ${role} now.`);
    };
  }
  return null;
}

async function memberId(client: ApiClient, path: string, email: string): Promise<string> {
  const { items } = (await client.call('GET', path)) as { items: Member[] };
  const member = items.find((candidate) => candidate.email === email.trim().toLowerCase());
  if (member === undefined)
    throw new CommandError('There is no such member; `ghostlight people list` shows who there is.');
  return member.person_id;
}
