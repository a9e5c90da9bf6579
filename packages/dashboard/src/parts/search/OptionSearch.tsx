import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { IconCheck, IconSearch } from '../icons.tsx';
import { matches, type Option } from './matches.ts';
import './search.css';

export interface PictureOption extends Option {
  readonly icon?: ReactNode;
  /** At the end of its row, such as how many there are; not searched. */
  readonly figure?: string | undefined;
}

interface OptionSearchProps<T extends PictureOption> {
  /** The name of the options: `Bots`. */
  label: string;
  options: readonly T[];
  /** The current value. */
  chosen?: string | undefined;
  placeholder: string;
  /** What the figures count: `visits`. */
  unit?: string;
  onChoose: (option: T) => void;
}

/**
 * A field with matching options: the combobox pattern of WAI-ARIA with an open list. The focus stays in the field; the
 * arrow keys move through the list, Enter chooses. The parent handles Escape.
 */
export function OptionSearch<T extends PictureOption>({
  label,
  options,
  chosen,
  placeholder,
  unit,
  onChoose,
}: OptionSearchProps<T>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  // It may follow another choice, whose field had the focus.
  useEffect(() => field.current?.focus({ preventScroll: true }), []);
  const [text, setText] = useState('');
  const [moved, setMoved] = useState<number | null>(null);
  const found = matches(options, text);
  const last = found.options.length - 1;
  const first =
    text === ''
      ? Math.max(
          0,
          found.options.findIndex(({ value }) => value === chosen),
        )
      : 0;
  const active = Math.min(moved ?? first, last);
  const optionId = (index: number) => `${id}-${index}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another option is the active one when the list changes, too
  useEffect(() => {
    list.current?.querySelector('[data-active="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [active, text]);
  const onKeyDown = (event: KeyboardEvent) => {
    const to = {
      ArrowDown: active >= last ? 0 : active + 1,
      ArrowUp: active <= 0 ? last : active - 1,
      PageDown: Math.min(last, active + 10),
      PageUp: Math.max(0, active - 10),
    }[event.key];
    if (to !== undefined) setMoved(to);
    else if (event.key === 'Enter') {
      const option = found.options[active];
      if (option !== undefined) onChoose(option);
    } else return;
    event.preventDefault();
  };
  const some = found.options.length > 0;
  return (
    <div className="option-search">
      <div className="search">
        <IconSearch />
        <input
          ref={field}
          type="text"
          role="combobox"
          className="input"
          aria-label={placeholder.replace('…', '')}
          aria-autocomplete="list"
          aria-expanded={some}
          aria-controls={some ? id : undefined}
          aria-activedescendant={some ? optionId(active) : undefined}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          placeholder={placeholder}
          value={text}
          onChange={({ target: { value } }) => {
            setText(value);
            setMoved(null);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      {some && unit !== undefined && found.options.some(({ figure }) => figure !== undefined) && (
        <p className="option-unit" aria-hidden="true">
          {unit}
        </p>
      )}
      {some && (
        <div ref={list} id={id} className="option-list" role="listbox" aria-label={label}>
          {found.options.map((option, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the field, which keeps the focus
            // biome-ignore lint/a11y/useFocusableInteractive: the field names the active option; the options take no focus
            <div
              key={option.value}
              id={optionId(index)}
              className="option"
              role="option"
              aria-selected={option.value === chosen}
              data-active={index === active}
              onPointerMove={() => setMoved(index)}
              onClick={() => onChoose(option)}
            >
              {chosen !== undefined && (
                <span className="option-tick">{option.value === chosen && <IconCheck />}</span>
              )}
              {option.icon}
              <span className="option-text">{option.text}</span>
              {option.detail !== undefined && <span className="option-detail">{option.detail}</span>}
              {option.figure !== undefined && (
                <>
                  {' '}
                  <span className="option-figure number">{option.figure}</span>
                </>
              )}
            </div>
          ))}
        </div>
      )}
      <p className="option-note" role="status">
        {!some && 'No matches.'}
        {found.more > 0 && `${found.more.toLocaleString('en')} more: type to find them`}
      </p>
    </div>
  );
}
