import { CopyButton } from './CopyButton.tsx';

/** Text to take away as it stands, scrolling sideways when it must. */
export function CodeBlock({ title, code, what }: { title: string; code: string; what: string }) {
  return (
    <figure className="code">
      <figcaption>
        <span>{title}</span>
        <CopyButton text={code} what={what} labelled />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
    </figure>
  );
}
