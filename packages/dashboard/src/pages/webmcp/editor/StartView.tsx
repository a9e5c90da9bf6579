import { ForWhoMay } from '../../../features/session/ForWhoMay.tsx';
import { EmptyState } from '../../../parts/states.tsx';
import type { Edit } from '../model/editor.ts';
import { blankTool, TEMPLATES } from '../model/templates.ts';
import type { Tool } from '../types.ts';

/** The first visit: what this is for, and tools to begin with. */
export function StartView({ domain, dispatch }: { domain: string; dispatch: (action: Edit) => void }) {
  const add = (tool: Tool) => dispatch({ type: 'add', tool });
  return (
    <div className="start">
      <EmptyState title="Tell agents what your site can do">
        A tool is something an agent may do on {domain} for its user: search, fill the cart, book, write to
        you. Declare two or three. They are signed with a key of this property, and the collector serves them
        on your zone.
      </EmptyState>
      <ForWhoMay>
        <ul className="templates" aria-label="Templates">
          {TEMPLATES.map(({ id, label, about, tool }) => (
            <li key={id}>
              <button type="button" className="template" onClick={() => add(tool(domain))}>
                <strong>{label}</strong>
                <span>{about}</span>
                <code>{tool(domain).name}</code>
              </button>
            </li>
          ))}
        </ul>
      </ForWhoMay>
      <ForWhoMay>
        <p className="start-blank">
          <button type="button" className="button" onClick={() => add(blankTool())}>
            Start with an empty tool
          </button>
        </p>
      </ForWhoMay>
    </div>
  );
}
