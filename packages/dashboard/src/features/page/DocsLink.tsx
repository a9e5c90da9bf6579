import { IconBook } from '../../parts/icons.tsx';

/** Opens the documentation of this installation beside the dashboard. @param to below `/docs/`, such as `reports#bots` */
export function DocsLink({ to }: { to: string }) {
  return (
    <a className="docs-link" href={`/docs/${to}`} target="_blank" rel="noopener">
      <IconBook />
      Docs
    </a>
  );
}
