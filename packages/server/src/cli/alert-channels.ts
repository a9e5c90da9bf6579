/** The channels among the words of `ghostlight alerts`: listed, added, turned off and on, removed, tried. */
import { CommandError, type Work } from './client.ts';
import type { CommandContext } from './command.ts';
import { table } from './output.ts';

interface Channel {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly target: string | null;
  readonly enabled: boolean;
  readonly everywhere: boolean;
}

/** @returns null for words that say nothing */
export function channelsWork(context: CommandContext): Work {
  const { words, print } = context;
  // `test` stands alone, everything else behind `channels`.
  const [verb, property, ...rest] = words[0] === 'channels' ? words.slice(1) : words;
  if (property === undefined) return null;
  const path = `/api/v1/properties/${encodeURIComponent(property)}/alerts/channels`;
  if (verb === 'list') return listWork(path, context);
  if (verb === 'add') return addWork(path, rest, context);
  const [id] = rest;
  if (id === undefined) return null;
  const one = `${path}/${encodeURIComponent(id)}`;
  if (verb === 'on' || verb === 'off')
    return async (client) => {
      const { name, enabled } = (await client.call('PATCH', one, { enabled: verb === 'on' })) as Channel;
      print(`${name} is ${enabled ? 'on' : 'off'}.`);
    };
  if (verb === 'remove')
    return async (client) => {
      await client.call('DELETE', one);
      print(`Removed ${id}.`);
    };
  if (verb === 'test')
    return async (client) => {
      const { ok, error } = (await client.call('POST', `${one}/test`)) as {
        ok: boolean;
        error: string | null;
      };
      // A script that asks whether the channel works needs no eyes.
      if (!ok) throw new CommandError(`The test was not taken: ${error ?? 'no reason was given'}.`);
      print('The test was taken.');
    };
  return null;
}

function listWork(path: string, { print }: CommandContext): Work {
  return async (client) => {
    const { items } = (await client.call('GET', path)) as { items: Channel[] };
    const columns = { id: 'ID', type: 'TYPE', name: 'NAME', target: 'TARGET', state: 'STATE', of: 'OF' };
    const rows = items.map(({ id, type, name, target, enabled, everywhere }) => ({
      ...{ id, type, name, target: target ?? 'can’t be opened; enter it anew' },
      state: enabled ? 'on' : 'off',
      of: everywhere ? 'all properties' : 'this property',
    }));
    print(items.length === 0 ? 'Nobody is told yet.' : table(rows, columns));
  };
}

function addWork(path: string, [type, target]: readonly string[], { options, print }: CommandContext): Work {
  if (type === undefined || target === undefined) return null;
  return async (client) => {
    const { id, secret } = (await client.call('POST', path, {
      ...{ type, target, name: options.get('name'), everywhere: options.has('everywhere') },
    })) as { id: string; secret: string | null };
    print(id);
    if (secret === null) return;
    print(secret);
    print('The second line signs what is sent. Store it now: it is not shown again.');
  };
}
