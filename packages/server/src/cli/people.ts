/** `ghostlight people`: who may sign in, what they may do, and links for those who can't. */
import { type Argument, type CommandContext, CommandError, type Group, type Option } from './command.ts';
import { type Row, table } from './output.ts';

interface Member {
  readonly person_id: string;
  readonly email: string;
}

const MEMBERS = '/api/v1/organization/members';
const ROLES = ['owner', 'admin', 'viewer'];
const EMAIL: Argument = { name: 'EMAIL', about: 'email address of the person' };
const ORGANIZATION: Option = {
  name: 'organization',
  value: 'ID',
  about: 'the organization, where there are several',
};

const PROPERTIES: Option = {
  name: 'properties',
  value: 'IDS',
  about:
    'for a viewer: the only properties they see, commas between their IDs; ID:editor lets them change it',
};

export const people: Group = {
  name: 'people',
  summary: 'list members, invite, change and remove them; a link to choose a new password',
  default: 'list',
  subcommands: [
    {
      name: 'list',
      summary: 'list the members and their roles',
      options: [ORGANIZATION],
      json: `GET ${MEMBERS}`,
      examples: [{ does: 'Everyone who may sign in', command: 'ghostlight people list' }],
      async run(context) {
        const data = (await context.service.call('GET', MEMBERS + query(context))) as { items: Row[] };
        const columns = {
          email: 'EMAIL',
          name: 'NAME',
          role: 'ROLE',
          sees: 'SEES',
          totp: 'TWO-FACTOR',
          joined_at: 'SINCE',
        };
        if (data.items.length === 0) return { data, text: 'No members yet.' };
        return { data, text: table(await withAccess(context, data.items), columns) };
      },
    },
    {
      name: 'invite',
      summary: 'invite a person by a link that works once, for 7 days',
      about: 'The link is mailed where SMTP_URL is set, and printed otherwise.',
      arguments: [EMAIL],
      options: [
        { name: 'role', value: 'ROLE', about: 'what they may do', choices: ROLES, default: 'viewer' },
        PROPERTIES,
        ORGANIZATION,
      ],
      json: 'POST /api/v1/organization/invitations',
      examples: [
        { does: 'A viewer', command: 'ghostlight people invite bob@shop.example' },
        { does: 'An admin', command: 'ghostlight people invite ada@shop.example --role admin' },
        {
          does: 'A viewer of one property',
          command:
            'ghostlight people invite bob@client.example --properties 8a6e0804-2bd0-4672-b79d-d97027f9071a',
        },
      ],
      async run(context) {
        const email = context.argument('EMAIL');
        const data = (await context.service.call(
          'POST',
          `/api/v1/organization/invitations${query(context)}`,
          {
            email,
            role: context.option('role') ?? 'viewer',
            properties: chosen(context.option('properties') ?? 'all'),
          },
        )) as { link: string | null };
        return {
          data,
          text: [data.link ?? `The invitation was mailed to ${email}.`, 'It works once, for 7 days.'],
        };
      },
    },
    {
      name: 'role',
      summary: 'change a member’s role',
      arguments: [EMAIL, { name: 'ROLE', about: 'what they may do from now on', choices: ROLES }],
      options: [ORGANIZATION],
      json: `PATCH ${MEMBERS}/{person_id}`,
      examples: [{ does: 'An owner more', command: 'ghostlight people role ada@shop.example owner' }],
      async run(context) {
        const role = context.argument('ROLE');
        const data = await context.service.call('PATCH', await memberPath(context), { role });
        return { data, text: `${context.argument('EMAIL')} is ${role} now.` };
      },
    },
    {
      name: 'access',
      summary: 'choose the properties that a viewer sees',
      about: 'A viewer with access to chosen properties sees nothing of the others, nor of the organization.',
      arguments: [
        EMAIL,
        {
          name: 'PROPERTIES',
          about: 'IDs with commas between them, each with :editor to let the person change it, or all',
        },
      ],
      options: [ORGANIZATION],
      json: `PATCH ${MEMBERS}/{person_id}`,
      examples: [
        {
          does: 'One property',
          command: 'ghostlight people access bob@client.example 8a6e0804-2bd0-4672-b79d-d97027f9071a:editor',
        },
        { does: 'All of them', command: 'ghostlight people access bob@client.example all' },
      ],
      async run(context) {
        const properties = chosen(context.argument('PROPERTIES'));
        const data = await context.service.call('PATCH', await memberPath(context), { properties });
        const sees = properties === null ? 'all properties' : countOf(properties.length);
        return { data, text: `${context.argument('EMAIL')} sees ${sees} now.` };
      },
    },
    {
      name: 'remove',
      summary: 'remove a member; their sessions and tokens end at once',
      arguments: [EMAIL],
      options: [ORGANIZATION],
      json: '{"email", "removed"}',
      examples: [{ does: 'One person', command: 'ghostlight people remove bob@shop.example' }],
      async run(context) {
        const email = context.argument('EMAIL');
        await context.service.call('DELETE', await memberPath(context));
        return { data: { email, removed: true }, text: `Removed ${email}.` };
      },
    },
    {
      name: 'reset',
      summary: 'print a link by which a person chooses a new password; it works once, for an hour',
      arguments: [EMAIL],
      options: [
        {
          name: 'second-factor-off',
          about: 'also turn their two-factor authentication off: the authenticator is lost',
        },
      ],
      json: 'POST /api/v1/people/password-resets',
      examples: [
        { does: 'A forgotten password', command: 'ghostlight people reset ada@shop.example' },
        {
          does: 'A lost authenticator too',
          command: 'ghostlight people reset ada@shop.example --second-factor-off',
        },
      ],
      async run({ service, argument, flag }) {
        const data = (await service.call('POST', '/api/v1/people/password-resets', {
          email: argument('EMAIL'),
          second_factor_off: flag('second-factor-off'),
        })) as { link: string };
        return {
          data,
          text: [data.link, 'The person chooses a new password with it; it works once, for an hour.'],
        };
      },
    },
    {
      name: 'welcome',
      summary: 'print the link that makes the first owner; it works once, for 24 hours',
      json: 'POST /api/v1/people/welcome-links',
      examples: [{ does: 'Where the first one has expired', command: 'ghostlight people welcome' }],
      async run({ service }) {
        const data = (await service.call('POST', '/api/v1/people/welcome-links')) as { link: string };
        return { data, text: [data.link, 'It creates the first owner; it works once, for 24 hours.'] };
      },
    },
  ],
};

interface Chosen {
  readonly attribution_id: string;
  readonly role: string;
}

/** @param text `all`, or IDs with commas between them. @returns null: all properties */
function chosen(text: string): readonly Chosen[] | null {
  if (text === 'all') return null;
  return text.split(',').map((one) => {
    const [id = '', role = 'viewer'] = one.trim().split(':');
    return { attribution_id: id, role };
  });
}

const countOf = (count: number) => (count === 1 ? 'one property' : `${count} properties`);

/** The members with what each sees, in words. */
async function withAccess(context: CommandContext, members: readonly Row[]): Promise<Row[]> {
  const { items } = (await context.service.call('GET', `/api/v1/properties${query(context)}`)) as {
    items: { id: string; domain: string }[];
  };
  const domains = new Map(items.map(({ id, domain }) => [id, domain]));
  return members.map((member) => {
    const access = member['properties'] as readonly Chosen[] | null;
    const words = access?.map(({ attribution_id: id, role }) => `${domains.get(id) ?? id} (${role})`);
    return { ...member, sees: words === undefined ? 'all' : words.length === 0 ? 'none' : words.join(', ') };
  });
}

function query({ option }: CommandContext): string {
  const organization = option('organization');
  return organization === undefined ? '' : `?organization=${encodeURIComponent(organization)}`;
}

/** @throws CommandError where the email address is no member's */
async function memberPath(context: CommandContext): Promise<string> {
  const email = context.argument('EMAIL').trim().toLowerCase();
  const { items } = (await context.service.call('GET', MEMBERS + query(context))) as { items: Member[] };
  const member = items.find((candidate) => candidate.email === email);
  if (member === undefined)
    throw new CommandError('There is no such member; `ghostlight people list` lists them.');
  return `${MEMBERS}/${member.person_id}${query(context)}`;
}
