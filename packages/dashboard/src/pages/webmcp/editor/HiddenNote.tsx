import { IconInfo } from '../../../parts/icons.tsx';
import type { Hidden } from '../model/fields.ts';

/** Names the parts of the schema that rows can't show; they are kept. */
export function HiddenNote({ hidden }: { hidden: readonly Hidden[] }) {
  if (hidden.length === 0) return null;
  return (
    <div className="notice hidden-note">
      <IconInfo />
      <p>
        Kept, though fields can’t show it:{' '}
        {hidden.map(({ path, keywords }, index) => (
          <span key={path.join('/')}>
            {index > 0 && '; '}
            {keywords.map((keyword, position) => (
              <span key={keyword}>
                {position > 0 && ', '}
                <code>{keyword}</code>
              </span>
            ))}
            {path.length > 0 && (keywords.length === 0 ? 'all of ' : ' of ')}
            {path.length > 0 && <code className="break">{path.join(' › ')}</code>}
            {path.length === 0 && keywords.length === 0 && 'a schema without type “object”'}
          </span>
        ))}
        . Switch to JSON Schema to edit it.
      </p>
    </div>
  );
}
