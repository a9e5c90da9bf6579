import { useNavigate } from '@tanstack/react-router';
import { Fragment, type ReactNode, useRef } from 'react';
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
      [['Enter'], 'Open row'],
      [['Space'], 'Pause or resume, in Live'],
      [['/'], 'Search the list'],
      [['F'], 'Add a filter, in Visits'],
      [['Esc'], 'Close side panel'],
    ],
  },
];

export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      {/* To be read, so the focus is here: on the button that closes, it would be the loudest part. */}
      <div className="shortcuts" tabIndex={-1} data-first="">
        <div>
          {GROUPS.map(({ title, rows }) => (
            <Group key={title} title={title}>
              {rows.map(([keys, what]) => (
                <Row key={what} keys={keys}>
                  {what}
                </Row>
              ))}
            </Group>
          ))}
        </div>
        <div>
          <p className="shortcuts-lead">
            Go to a page: <kbd>G</kbd> then
          </p>
          {PAGE_GROUPS.map(({ title, sections }) => (
            <Group key={title} title={title}>
              {sections.flatMap(({ label: section, pages }) =>
                pages.map(({ key, label }) => (
                  <Row key={label} keys={[key.toUpperCase()]}>
                    {/* As the rail and the palette name it. */}
                    {label !== section && <span className="quiet">{section} › </span>}
                    {label}
                  </Row>
                )),
              )}
            </Group>
          ))}
        </div>
      </div>
    </Dialog>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3>{title}</h3>
      <dl>{children}</dl>
    </section>
  );
}

interface RowProps {
  /** Pressed together. */
  keys: readonly string[];
  children: ReactNode;
}

function Row({ keys, children }: RowProps) {
  return (
    <div>
      <dt>{children}</dt>
      <dd>
        {keys.map((key, place) => (
          <Fragment key={key}>
            {place > 0 && <span className="quiet">+</span>}
            <kbd>{key}</kbd>
          </Fragment>
        ))}
      </dd>
    </div>
  );
}
