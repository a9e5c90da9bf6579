import { Dialog } from '../../parts/Dialog.tsx';
import { OptionSearch } from '../../parts/search/OptionSearch.tsx';
import { usePlaces } from './usePlaces.tsx';

export function JumpDialog({ onClose }: { onClose: () => void }) {
  const places = usePlaces();
  return (
    <Dialog title="Jump to" onClose={onClose}>
      <OptionSearch
        label="Places"
        placeholder="Page, property or bot…"
        options={places}
        onChoose={({ go }) => {
          onClose();
          go();
        }}
      />
    </Dialog>
  );
}
