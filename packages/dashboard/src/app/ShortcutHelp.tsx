import { Dialog } from '../parts/Dialog.tsx';

const GROUPS: readonly { title: string; rows: readonly [readonly string[], string][] }[] = [
  {
    title: 'Go to',
    rows: [
      [['G', 'L'], 'Live'],
      [['G', 'C'], 'Conversions'],
      [['G', 'V'], 'Deliveries'],
      [['G', 'S'], 'Set-up'],
      [['G', 'D'], 'SDK'],
      [['G', 'H'], 'Webhooks'],
      [['G', 'F'], 'Destinations'],
      [['G', 'W'], 'WebMCP'],
      [['G', 'K'], 'Keys'],
      [['G', ','], 'Settings'],
    ],
  },
  {
    title: 'Live',
    rows: [
      [['J'], 'Next row'],
      [['K'], 'Previous row'],
      [['Enter'], 'Open the row'],
      [['Space'], 'Pause or resume'],
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
