import { useNavigate } from '@tanstack/react-router';
import { Fragment, useRef } from 'react';
import { PAGE_GROUPS, PAGES } from '../features/page/pages.tsx';
import { useCarriedOver } from '../features/reports/carried.ts';
import { PRESETS } from '../format/period.ts';
import { Dialog } from '../parts/Dialog.tsx';
import { COMMAND_KEY, useKeyPress } from '../parts/shortcuts.ts';

/** The longest time between two keys of a sequence, in milliseconds. */
const SEQUENCE_MS = 1_200;

/** `g` then a letter opens a page; `?` shows the list of shortcuts. */
export function useNavigationShortcuts(propertyId: string | null, onHelp: () => void): void {
  const navigate = useNavigate();
  const carriedOver = useCarriedOver();
  const startedAt = useRef(Number.NEGATIVE_INFINITY);
  useKeyPress((event) => {
    const inSequence = event.timeStamp - startedAt.current < SEQUENCE_MS;
    startedAt.current = Number.NEGATIVE_INFINITY;
    if (inSequence && event.key.length === 1) {
      // The second letter belongs to this sequence, even if the page uses it too.
      event.preventDefault();
      const target = PAGES.find(({ key }) => key === event.key);
      if (target === undefined || propertyId === null) return;
      void navigate({
        to: `/p/$propertyId/${target.name}`,
        params: { propertyId },
        search: carriedOver(target.name),
      });
    } else if (event.key === 'g') {
      startedAt.current = event.timeStamp;
    } else if (event.key === '?') {
      event.preventDefault();
      onHelp();
    }
  }, true);
}

const GROUPS: readonly { title: string; rows: readonly (readonly [readonly string[], string])[] }[] = [
  {
    title: 'General',
    rows: [
      [[COMMAND_KEY, 'K'], 'Search'],
      [['?'], 'Keyboard shortcuts'],
    ],
  },
  {
    title: 'Period',
    rows: [
      ...PRESETS.flatMap(({ key, label }) =>
        key === undefined ? [] : [[[key.toUpperCase()], label] as const],
      ),
      [['C'], 'Custom range…'],
      [['←'], 'Previous period'],
      [['→'], 'Next period'],
    ],
  },
  {
    title: 'Lists',
    rows: [
      [['J'], 'Next row'],
      [['K'], 'Previous row'],
      [['Enter'], 'Open the row'],
      [['Space'], 'Pause or resume Live'],
      [['/'], 'Focus search'],
      [['F'], 'Add a filter to Visits'],
      [['Esc'], 'Close side panel'],
    ],
  },
];

export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      {/* To be read, so the focus is here: on the button that closes, it would be the loudest part. */}
      <div className="shortcuts" tabIndex={-1} data-first="">
        <section className="shortcuts-pages">
          <h3>
            Press <kbd>G</kbd>, then
          </h3>
          {PAGE_GROUPS.map(({ title, sections }) => (
            <Fragment key={title}>
              <h4>{title}</h4>
              <dl>
                {sections.flatMap(({ pages }) =>
                  pages.map(({ key, label }) => (
                    <div key={label}>
                      <dt>{label}</dt>
                      <dd>
                        <kbd>{key.toUpperCase()}</kbd>
                      </dd>
                    </div>
                  )),
                )}
              </dl>
            </Fragment>
          ))}
        </section>
        {GROUPS.map(({ title, rows }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {rows.map(([keys, what]) => (
                <div key={what}>
                  <dt>{what}</dt>
                  <dd>
                    {keys.map((key, place) => (
                      <Fragment key={key}>
                        {place > 0 && <span className="quiet">+</span>}
                        <kbd>{key}</kbd>
                      </Fragment>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
