import { useRouter, useRouterState } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useProperty } from '../../features/property/useProperty.ts';
import { useSession } from '../../features/session/useSession.ts';
import { Dialog } from '../../parts/Dialog.tsx';
import { IconSearch } from '../../parts/icons.tsx';
import '../../parts/search/search.css';
import { type Entry, useEntries } from './entries.tsx';
import './jump.css';
import { iconOf, keysOf, kindOf } from './kinds.tsx';
import { type Group, offeredAtFirst, offeredFor, piecesOf } from './offered.ts';
import { recentPlaces, rememberPlace } from './recent.ts';
import { useFound } from './useFound.ts';

export interface JumpDialogProps {
  /** What was typed before there was a field. */
  takeEarly: () => string;
  onClose: () => void;
}

/**
 * The search of all places and commands: a field with what fits, the combobox pattern of WAI-ARIA with an open list. The focus stays in the field; the
 * arrow keys move through the list, Enter goes there or runs it.
 */
export function JumpDialog({ takeEarly, onClose }: JumpDialogProps) {
  const id = useId();
  const router = useRouter();
  const list = useRef<HTMLDivElement>(null);
  const [text, setText] = useState('');
  // The field has the focus by now.
  useEffect(() => setText(takeEarly()), [takeEarly]);
  const [moved, setMoved] = useState(0);
  const session = useSession();
  const caller = session.person?.id ?? session.kind;
  const found = useFound(text);
  const groups = useOffered(text, caller, found.entries);
  const entries = groups.flatMap((group) => group.entries);
  const last = entries.length - 1;
  const active = Math.min(moved, last);
  const optionId = (index: number) => `${id}-${index}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another entry is the active one when the list changes, too
  useEffect(() => {
    list.current?.querySelector('[data-active="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [active, text]);

  const choose = ({ href, run, beside, text: name, parent = '', detail = parent, kind }: Entry) => {
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
    <Dialog title="Search" onClose={onClose}>
      <div className="option-search jump">
        <div className="search">
          <IconSearch />
          <input
            type="text"
            role="combobox"
            className="input"
            aria-label="Search"
            aria-autocomplete="list"
            aria-expanded={some}
            aria-controls={some ? id : undefined}
            aria-activedescendant={some ? optionId(active) : undefined}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            placeholder="Search pages, bots, settings, docs…"
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
            {groups.map(({ title, entries: some }) => (
              // biome-ignore lint/a11y/useSemanticElements: a group of a list box is no fieldset
              <div key={title} role="group" aria-label={title}>
                <div className="jump-title" aria-hidden="true">
                  {title}
                </div>
                {some.map((entry) => {
                  const index = entries.indexOf(entry);
                  return (
                    <Option
                      key={entry.value}
                      entry={entry}
                      typed={text}
                      id={optionId(index)}
                      isActive={index === active}
                      onMove={() => setMoved(index)}
                      onChoose={() => choose(entry)}
                    />
                  );
                })}
              </div>
            ))}
          </div>
        )}
        {/* Not announced: with every letter it would be said again. */}
        {found.isWaiting && (
          <p className="option-note" aria-hidden="true">
            Searching paths and orders…
          </p>
        )}
        <p className="option-note" role="status">
          {!some && !found.isWaiting && 'No matches.'}
          {found.isIncomplete && 'Some results are missing: the service could not search everything.'}
        </p>
        <p className="jump-foot" aria-hidden="true">
          <span>
            <kbd className="kbd">↑</kbd> <kbd className="kbd">↓</kbd> to move
          </span>
          <span>
            <kbd className="kbd">↵</kbd> to open
          </span>
          <span>
            <kbd className="kbd">Esc</kbd> to close
          </span>
        </p>
      </div>
    </Dialog>
  );
}

interface OptionProps {
  entry: Entry;
  typed: string;
  id: string;
  isActive: boolean;
  onMove: () => void;
  onChoose: () => void;
}

function Option({ entry, typed, id, isActive, onMove, onChoose }: OptionProps) {
  const { text, kind, parent = '', beside = false } = entry;
  // Where a place is, is read before its name, as in the rail; what an action is about, after it.
  const isPlace = isWithin(kind);
  const { detail = isPlace ? '' : parent } = entry;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the field, which keeps the focus
    // biome-ignore lint/a11y/useFocusableInteractive: the field names the active option; the options take no focus
    <div
      id={id}
      className="option"
      role="option"
      aria-selected={isActive}
      data-active={isActive}
      onPointerMove={onMove}
      onClick={onChoose}
    >
      {iconOf(entry)}
      <span className={kind === 'path' ? 'option-text mono' : 'option-text'}>
        {isPlace && parent !== '' && <span className="jump-parent">{parent} › </span>}
        {piecesOf(text, typed).map(({ text: piece, isMatch }, index) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other name
          isMatch ? <b key={index}>{piece}</b> : piece,
        )}
      </span>
      {detail !== '' && <span className="option-detail">{detail}</span>}
      <span className="visually-hidden">{kindOf(kind).name}</span>
      <span className="jump-keys" aria-hidden="true">
        {keysOf(entry).map((key) => (
          <kbd key={key} className="kbd">
            {key}
          </kbd>
        ))}
      </span>
      {beside && <IconBeside />}
    </div>
  );
}

/** Whether it is a part of something, which is named before it. @param kind of the storage, so it may be any text */
const isWithin = (kind: string): boolean => kind === 'page' || kind === 'setting' || kind === 'docs';

/** It opens in another tab. */
function IconBeside() {
  return (
    <svg className="jump-beside" width="12" height="12" viewBox="0 0 10 10" aria-hidden="true">
      <path
        d="M2 8 8 2M3.4 2H8v4.6"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

function useOffered(text: string, caller: string, found: readonly Entry[]): readonly Group[] {
  const property = useProperty();
  const entries = useEntries();
  const here = useRouterState({ select: ({ location }) => location.pathname });
  const [recent] = useState(() => recentPlaces(caller, property?.id ?? null));
  if (text.trim() !== '') return offeredFor(text, entries, found);
  const places = recent.map(
    ({ kind, detail, ...place }): Entry => ({
      ...{ ...place, kind: kind as Entry['kind'], value: `recent ${place.href}` },
      ...(isWithin(kind) ? { parent: detail } : { detail }),
    }),
  );
  // The page that is open already is no place to go.
  return offeredAtFirst(
    places,
    entries.filter(({ kind, href }) => kind !== 'page' || href?.split('?')[0] !== here),
  );
}
