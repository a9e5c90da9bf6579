import type { ReactNode } from 'react';
import type { Difference } from '../model/difference.ts';

const MEMBERS: Readonly<Record<string, string>> = {
  title: 'title',
  description: 'description',
  inputSchema: 'input',
  annotations: 'hints',
  page: 'page',
  endpoint: 'MCP server',
};

/** The changes of a publication, one per row: a sign, a word and a name. */
export function ChangeList({ difference }: { difference: Difference }) {
  const { added, removed, changed, reordered, hostsAdded, hostsRemoved } = difference;
  return (
    <ul className="changes" aria-label="Changes">
      {added.map((name) => (
        <Change key={`+${name}`} sign="+" word="new" name={name} />
      ))}
      {changed.map(({ name, members }) => (
        <Change key={`~${name}`} sign="~" word="changed" name={name}>
          {members.map((member) => MEMBERS[member] ?? member).join(', ')}
        </Change>
      ))}
      {removed.map((name) => (
        <Change key={`-${name}`} sign="−" word="removed" name={name} />
      ))}
      {reordered && <Change sign="~" word="changed" name="order of the tools" />}
      {hostsAdded.map((host) => (
        <Change key={`+${host}`} sign="+" word="new host" name={host} />
      ))}
      {hostsRemoved.map((host) => (
        <Change key={`-${host}`} sign="−" word="removed host" name={host} />
      ))}
    </ul>
  );
}

function Change({
  sign,
  word,
  name,
  children,
}: {
  sign: '+' | '~' | '−';
  word: string;
  name: string;
  children?: ReactNode;
}) {
  return (
    <li data-sign={sign}>
      <span className="change-sign mono" aria-hidden="true">
        {sign}
      </span>
      <code className="break">{name}</code>
      <span className="change-word">
        {word}
        {children !== undefined && <>: {children}</>}
      </span>
    </li>
  );
}
