import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

interface TabsProps<View extends string> {
  /** Names the navigation for screen readers. */
  label: string;
  /** By view, in the order of the tabs; the first is shown at the page's own address. */
  names: Readonly<Record<View, string>>;
  current: View;
  /** The search parameters of a view; by default `view`, left out for the first. */
  searchOf?: (view: View) => object;
  /** At the end of their row, where it moves nothing: what can be done in the current view. */
  children?: ReactNode;
}

/** Links to the views of one page. Each view has an address. */
export function Tabs<View extends string>({ label, names, current, searchOf, children }: TabsProps<View>) {
  const views = Object.keys(names) as View[];
  const plain = (view: View) => (view === views[0] ? {} : { view });
  return (
    <div className="tabs">
      <nav aria-label={label}>
        {views.map((view) => (
          <Link
            key={view}
            to="."
            search={(searchOf ?? plain)(view)}
            className="tab"
            activeOptions={{ exact: true, includeSearch: true }}
            aria-current={view === current ? 'page' : undefined}
          >
            {names[view]}
          </Link>
        ))}
      </nav>
      {children}
    </div>
  );
}
