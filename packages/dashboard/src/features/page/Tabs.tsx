import { Link } from '@tanstack/react-router';
import { TabRow } from './TabRow.tsx';

interface ViewsProps<View extends string> {
  /** Names the navigation for screen readers. */
  label: string;
  /** By view, in the order of the links; the first is shown at the page's own address. */
  names: Readonly<Record<View, string>>;
  current: View;
  /** The search parameters of a view; by default `view`, left out for the first. */
  searchOf?: (view: View) => object;
}

/** Tabs of the views of a page that has a section for itself: pass them to its `PageHead`. */
export function Tabs<View extends string>(views: ViewsProps<View>) {
  return (
    <TabRow label={views.label} here={views.current}>
      <Links {...views} className="tab" />
    </TabRow>
  );
}

/** The views of a page whose tabs are the pages of its section: a segmented row, with the content that it changes. */
export function Views<View extends string>(views: ViewsProps<View>) {
  return (
    <nav className="views" aria-label={views.label}>
      <Links {...views} className="view" />
    </nav>
  );
}

function Links<View extends string>({
  names,
  current,
  searchOf,
  className,
}: ViewsProps<View> & { className: string }) {
  const views = Object.keys(names) as View[];
  const plain = (view: View) => (view === views[0] ? {} : { view });
  return views.map((view) => (
    <Link
      key={view}
      to="."
      search={(searchOf ?? plain)(view)}
      className={className}
      activeOptions={{ exact: true, includeSearch: true }}
      aria-current={view === current ? 'page' : undefined}
    >
      {names[view]}
    </Link>
  ));
}
