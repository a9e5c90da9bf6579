import { type FormEvent, useId, useRef, useState } from 'react';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import { Problem } from '../../../parts/Field.tsx';
import { IconCross, IconPlus } from '../../../parts/icons.tsx';
import type { PlacedProblem } from '../model/problems.ts';

interface HostsEditorProps {
  hosts: readonly string[];
  domain: string;
  problems: readonly PlacedProblem[];
  onHosts: (hosts: readonly string[]) => void;
}

/** Exact host names: agents refuse the document on any other host, so it can't be copied to another site. */
export function HostsEditor({ hosts, domain, problems, onHosts }: HostsEditorProps) {
  const headingId = useId();
  const inputId = useId();
  const announce = useAnnounce();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const suggestion = suggestedHost(hosts, domain);
  // Folded: a site's hosts are entered once, its tools are what is worked on.
  const [isOpen, setOpen] = useState(false);
  const add = (host: string) => {
    if (host === '' || hosts.includes(host)) return;
    onHosts([...hosts, host]);
    announce(`Added ${host}`);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add(hostOf(typed));
    setTyped('');
  };
  const at = (index: number | null) =>
    problems.filter(({ place }) => place.at === 'hosts' && place.index === index);
  const hasProblem = problems.some(({ place }) => place.at === 'hosts');
  return (
    <section aria-labelledby={headingId}>
      <details
        className="hosts"
        open={isOpen || hasProblem}
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      >
        <summary className="side-head">
          <h2 id={headingId}>
            Hosts <span className="number quiet">{hosts.length}</span>
          </h2>
          <span className="hosts-named mono">{hosts.join(', ')}</span>
        </summary>
        <p className="quiet">Hosts where the document is valid. Agents refuse it elsewhere.</p>
        {at(null).map((problem) => (
          <Problem key={problem.message} said={problem} />
        ))}
        <ul className="host-list">
          {hosts.map((host, index) => (
            <li key={host}>
              <span className="host-name">
                <code className="break">{host}</code>
                <button
                  type="button"
                  className="icon-button"
                  aria-label={`Remove ${host}`}
                  onClick={() => {
                    onHosts(hosts.filter((other) => other !== host));
                    announce(`Removed ${host}`);
                    input.current?.focus();
                  }}
                >
                  <IconCross />
                </button>
              </span>
              {at(index).map((problem) => (
                <Problem key={problem.message} said={problem} />
              ))}
            </li>
          ))}
        </ul>
        <form className="host-add" onSubmit={submit}>
          <label htmlFor={inputId} className="visually-hidden">
            Add a host
          </label>
          <input
            ref={input}
            id={inputId}
            className="input mono"
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            maxLength={300}
            placeholder="help.shop.example"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
          <button type="submit" className="button" disabled={hostOf(typed) === ''}>
            Add
          </button>
        </form>
        {suggestion !== null && (
          <button type="button" className="suggestion" onClick={() => add(suggestion)}>
            <IconPlus />
            <code className="break">{suggestion}</code>
          </button>
        )}
      </details>
    </section>
  );
}

/** Reads host names from typed or pasted text. */

/** `https://Shop.example/cart` → `shop.example`; invalid text stays, and the service reports it. */
export function hostOf(typed: string): string {
  const text = typed.trim();
  if (text === '') return '';
  try {
    return new URL(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`).hostname;
  } catch {
    return text.toLowerCase();
  }
}

/** Suggests the property's domain first, then its `www.` host. Null: no suggestion. */
export function suggestedHost(hosts: readonly string[], domain: string): string | null {
  if (!hosts.includes(domain)) return domain;
  // Only hosts at or below the domain are allowed: `www.` can be added, not removed.
  const backend = `www.${domain}`;
  return domain.startsWith('www.') || hosts.includes(backend) || !domain.includes('.') ? null : backend;
}
