import { CodeBlock, type CodeBlockProps } from '../../parts/CopyButton.tsx';
import { IconWarning } from '../../parts/icons.tsx';
import { localAddressIn } from './out-of-reach.ts';
import './out-of-reach.css';

/** A code to copy, which says so while it has an address that works on this machine or in its network only. */
export function Snippet({ title, what, ...block }: CodeBlockProps) {
  const isLocal = localAddressIn(block.code) !== null;
  if (!isLocal) return <CodeBlock {...block} title={title} what={what} />;
  return (
    <CodeBlock
      {...block}
      what={`${what}, with a local address`}
      title={
        <>
          {title}
          <span className="snippet-local">
            <IconWarning />
            local address
          </span>
        </>
      }
    />
  );
}
