import type { HitClass } from '../../api/types.ts';
import { CLASS_NAMES } from '../../format/names.ts';
import { ClassGlyph } from './ClassGlyph.tsx';

export function ClassBadge({ hitClass, sdkBot = false }: { hitClass: HitClass; sdkBot?: boolean }) {
  return (
    <span className="badges">
      <span className="badge" data-class={hitClass}>
        <ClassGlyph hitClass={hitClass} />
        {CLASS_NAMES[hitClass] ?? hitClass}
      </span>
      {sdkBot && <span className="tag">bot</span>}
    </span>
  );
}
