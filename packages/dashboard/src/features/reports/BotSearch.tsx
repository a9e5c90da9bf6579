import { useState } from 'react';
import { IconSearch } from '../../parts/icons.tsx';
import { ChoicePopover } from '../../parts/search/ChoicePopover.tsx';
import { OptionSearch } from '../../parts/search/OptionSearch.tsx';
import { useKeyPress } from '../../parts/shortcuts.ts';
import type { ReportChange } from './search.ts';

interface BotSearchProps {
  bots: readonly { readonly bot: string; readonly vendor: string }[];
  vendors: readonly string[];
  onFound: (change: ReportChange) => void;
}

/** Finds a bot, which opens, or a vendor, which narrows the list. `/` opens it. */
export function BotSearch({ bots, vendors, onFound }: BotSearchProps) {
  const [open, setOpen] = useState(false);
  useKeyPress((event) => {
    if (event.key !== '/') return;
    event.preventDefault();
    setOpen(true);
  });
  const options = [
    ...bots.map(({ bot, vendor }) => ({ value: `bot ${bot}`, text: bot, detail: vendor, change: { bot } })),
    ...vendors.map((vendor) => ({
      ...{ value: `vendor ${vendor}`, text: vendor, detail: 'vendor' },
      change: { vendor },
    })),
  ];
  return (
    <ChoicePopover
      label="Bot or vendor"
      open={open}
      onOpen={setOpen}
      trigger={
        <button type="button" className="input search-button" aria-keyshortcuts="/">
          <IconSearch />
          <span>Bot or vendor…</span>
          <span className="kbd" aria-hidden="true">
            /
          </span>
        </button>
      }
    >
      <OptionSearch
        label="Bots and vendors"
        placeholder="Bot or vendor…"
        options={options}
        onChoose={({ change }) => {
          setOpen(false);
          onFound(change);
        }}
      />
    </ChoicePopover>
  );
}
