import { useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useProperty } from '../../features/property/useProperty.ts';
import { useSession } from '../../features/session/useSession.ts';
import { Dialog } from '../../parts/Dialog.tsx';
import { IconSearch } from '../../parts/icons.tsx';
import '../../parts/search/search.css';
import { type Entry, useEntries } from './entries.tsx';
import './jump.css';
import { kindOf } from './kinds.tsx';
import { ranked } from './rank.ts';
import { recentPlaces, rememberPlace } from './recent.ts';
import { useFound } from './useFound.ts';

const MOST = 30;

/**
 * The command palette: a field with what fits, the combobox pattern of WAI-ARIA with an open list. The focus stays in the field; the
 * arrow keys move through the list, Enter goes there or runs it.
 */
export function JumpDialog({ onClose }: { onClose: () => void }) {
  const id = useId();
  const router = useRouter();
  const list = useRef<HTMLDivElement>(null);
  const [text, setText] = useState('');
  const [moved, setMoved] = useState(0);
  const session = useSession();
  const caller = session.person?.id ?? session.kind;
  const found = useFound(text);
  const entries = useOffered(text, caller, found.entries);
  const last = entries.length - 1;
  const active = Math.min(moved, last);
  const optionId = (index: number) => `${id}-${index}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another entry is the active one when the list changes, too
  useEffect(() => {
    list.current?.querySelector('[data-active="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [active, text]);

  const choose = ({ href, run, beside, text: name, detail = '', kind }: Entry) => {
    onClose();
    run?.();
    if (href === null) return;
    if (beside === true) window.open(href, '_blank', 'noopener');
    else {
      if (kind !== 'action') rememberPlace(caller, { text: name, detail, href, kind });
      router.history.push(href);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = {
      ArrowDown: active >= last ? 0 : active + 1,
      ArrowUp: active <= 0 ? last : active - 1,
      PageDown: Math.min(last, active + 10),
      PageUp: Math.max(0, active - 10),
    }[event.key];
    const chosen = entries[active];
    if (to !== undefined) setMoved(to);
    else if (event.key === 'Enter' && chosen !== undefined) choose(chosen);
    else return;
    event.preventDefault();
  };
  const some = entries.length > 0;
  return (
    <Dialog title="Jump to" onClose={onClose}>
      <div className="option-search jump">
        <div className="search">
          <IconSearch />
          <input
            type="text"
            role="combobox"
            className="input"
            aria-label="Search or run a command"
            aria-autocomplete="list"
            aria-expanded={some}
            aria-controls={some ? id : undefined}
            aria-activedescendant={some ? optionId(active) : undefined}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            placeholder="Page, bot, path, order, setting, action…"
            value={text}
            onChange={({ target: { value } }) => {
              setText(value);
              setMoved(0);
            }}
            onKeyDown={onKeyDown}
          />
        </div>
        {some && (
          <div ref={list} id={id} className="option-list" role="listbox" aria-label="Places and actions">
            {entries.map((entry, index) => {
              const { name, icon } = kindOf(entry.kind);
              return (
                // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the field, which keeps the focus
                // biome-ignore lint/a11y/useFocusableInteractive: the field names the active option; the options take no focus
                <div
                  key={entry.value}
                  id={optionId(index)}
                  className="option"
                  role="option"
                  aria-selected={index === active}
                  data-active={index === active}
                  onPointerMove={() => setMoved(index)}
                  onClick={() => choose(entry)}
                >
                  {icon}
                  <span className="option-text">{entry.text}</span>
                  {entry.detail !== undefined && entry.detail !== '' && (
                    <span className="option-detail">{entry.detail}</span>
                  )}
                  <span className="jump-kind">{name}</span>
                </div>
              );
            })}
          </div>
        )}
        <p className="option-note" role="status">
          {!some && !found.isWaiting && 'No matches.'}
          {found.isIncomplete && 'Some results are missing: the service could not search everything.'}
        </p>
      </div>
    </Dialog>
  );
}

/** Without a text, recent places, pages and actions; with one, what fits it best. */
function useOffered(text: string, caller: string, found: readonly Entry[]): readonly Entry[] {
  const property = useProperty();
  const entries = useEntries();
  const [recent] = useState(() => recentPlaces(caller, property?.id ?? null));
  if (text.trim() !== '') return ranked(onceEach([...entries, ...found]), text, MOST);
  const places = recent.map(
    ({ kind, ...place }): Entry => ({ ...place, kind: kind as Entry['kind'], value: `recent ${place.href}` }),
  );
  const seen = new Set(recent.map(({ href }) => href));
  const others = entries.filter(
    ({ kind, href }) => ['page', 'action', 'property'].includes(kind) && !seen.has(href ?? ''),
  );
  return [...places, ...others];
}

/** A bot is known here and found there. */
function onceEach(entries: readonly Entry[]): Entry[] {
  return [...new Map(entries.map((entry) => [entry.value, entry])).values()];
}
