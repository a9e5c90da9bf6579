import type { ReactNode } from 'react';
import { nameOf } from '../../../features/conversions/topics.ts';
import type { Delivery } from '../../../features/deliveries/api.ts';
import { skipName, statusWords } from '../../../features/deliveries/messages.ts';
import { PlatformGlyph } from '../../../features/destinations/PlatformGlyph.tsx';
import { visible } from '../../../format/visible.ts';
import { IconChevronRight } from '../../../parts/icons.tsx';
import { Mark } from '../../../parts/Sign.tsx';

/** As many as a narrow column has room for. */
const MOST_GLYPHS = 5;

interface FoldedRowProps {
  /** Of one conversion: delivered, skipped, or held by a pause. */
  items: readonly Delivery[];
  /** Others of the conversion are above. */
  isRest: boolean;
  /** They are listed below. */
  isUnfolded: boolean;
  /** The cells of the conversion, where this is its first row. */
  before: ReactNode;
  after: ReactNode;
  onToggle: () => void;
}

/** One line for the deliveries of a conversion that came to their end as expected, or wait for a paused destination. */
export function FoldedRow({ items, isRest, isUnfolded, before, after, onToggle }: FoldedRowProps) {
  const skipped = items.filter(({ status }) => status === 'skipped');
  const delivered = items.filter(({ status }) => status === 'delivered').length;
  const held = items.length - delivered - skipped.length;
  const reasons = [...new Set(skipped.map(({ reason }) => reason).filter((reason) => reason !== null))]
    .map(skipName)
    .join(', ');
  const left = `${skipped.length} skipped`;
  // The first kind is the mark; the details say the rest.
  const said = [
    skipped.length > 0 &&
      (delivered > 0 ? [left, reasons].filter((text) => text !== '').join(': ') : reasons),
    held > 0 && (held < items.length ? `${held} queued` : 'Their destinations are paused'),
  ]
    .filter((text) => text !== false && text !== '')
    .join(' · ');
  const name = `${items.length}${isRest ? ' more' : ''} destinations`;
  const [item] = items;
  return (
    <tr data-follows={isRest} data-folded onClick={onToggle}>
      {before}
      <td className="cell-to">
        <button
          type="button"
          className="fold-toggle"
          aria-expanded={isUnfolded}
          aria-label={`${name}${item === undefined ? '' : ` of ${nameOf(item)} ${visible(item.conversion_id)}`}`}
          onClick={(event) => {
            event.stopPropagation();
            onToggle();
          }}
        >
          <span className="fold-sign">
            <IconChevronRight />
          </span>
          {items.slice(0, MOST_GLYPHS).map(({ id, platform, destination }) => (
            <span key={id} title={destination.name}>
              <PlatformGlyph platform={platform} size={24} />
            </span>
          ))}
          {items.length > MOST_GLYPHS && <span className="quiet">+{items.length - MOST_GLYPHS}</span>}
        </button>
      </td>
      <td className="cell-state">
        {delivered > 0 ? (
          <Mark {...statusWords('delivered')} title={`${delivered} delivered`} />
        ) : skipped.length > 0 ? (
          <Mark {...statusWords('skipped')} title={left} />
        ) : (
          <Mark {...statusWords('pending')} title={`${held} queued`} />
        )}
      </td>
      <td className="cell-outcome">
        {said !== '' && (
          <span className="cell-clip" title={said}>
            {said}
          </span>
        )}
      </td>
      {after}
      <td className="cell-open" />
    </tr>
  );
}
