import { PAGES } from '../features/page/pages.tsx';
import { PRESETS } from '../format/period.ts';
import { Dialog } from '../parts/Dialog.tsx';

const GROUPS: readonly { title: string; rows: readonly (readonly [readonly string[], string])[] }[] = [
  {
    title: 'Go to',
    rows: [
      ...PAGES.map(({ key, label }) => [['G', key.toUpperCase()], label] as const),
      [['⌘ / Ctrl', 'K'], 'Anything'],
    ],
  },
  {
    title: 'Period',
    rows: [
      ...PRESETS.map(({ key, name }) => [[key.toUpperCase()], name] as const),
      [['C'], 'Other days…'],
      [['←'], 'The same length before'],
      [['→'], 'The same length after'],
    ],
  },
  {
    title: 'Lists',
    rows: [
      [['J'], 'Next row'],
      [['K'], 'Previous row'],
      [['Enter'], 'Open the row'],
      [['Space'], 'Pause or resume Live'],
      [['/'], 'Filter by text'],
      [['Esc'], 'Close the details'],
    ],
  },
];

export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <div className="shortcuts">
        {GROUPS.map(({ title, rows }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {rows.map(([keys, what]) => (
                <div key={what}>
                  <dt>{what}</dt>
                  <dd>
                    {keys.map((key) => (
                      <kbd key={key}>{key}</kbd>
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
