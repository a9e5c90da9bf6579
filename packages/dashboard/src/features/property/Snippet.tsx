import { CodeBlock, type CodeBlockProps } from '../../parts/CopyButton.tsx';
import { IconWarning } from '../../parts/icons.tsx';
import { localAddressIn } from './out-of-reach.ts';
import './out-of-reach.css';

/** Beside the button that copies a text: it has an address that works on this machine or in its network only. */
export function LocalMark({ text }: { text: string }) {
  if (localAddressIn(text) === null) return null;
  return (
    <span className="snippet-local">
      <IconWarning />
      local address
    </span>
  );
}

/** A code to copy, which says so while it has a local address. */
export function Snippet({ title, ...block }: CodeBlockProps) {
  return (
    <CodeBlock
      {...block}
      title={
        <>
          {title}
          <LocalMark text={block.code} />
        </>
      }
    />
  );
}
