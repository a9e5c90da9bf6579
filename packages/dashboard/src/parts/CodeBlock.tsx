import { CopyButton } from './CopyButton.tsx';

interface CodeBlockProps {
  title: string;
  code: string;
  /** What is copied, for the accessible name. */
  what: string;
  /** One long line is broken where the box ends; what is copied has no break. */
  wrap?: boolean;
}

/** Text to take away as it stands, scrolling sideways when it must. */
export function CodeBlock({ title, code, what, wrap = false }: CodeBlockProps) {
  return (
    <figure className="code" data-wrap={wrap}>
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
