import { useState } from 'react';
import { counted } from '../../../format/names.ts';
import { CodeBlock } from '../../../parts/CopyButton.tsx';
import { Dialog } from '../../../parts/Dialog.tsx';
import { Problem } from '../../../parts/Field.tsx';
import { Segments } from '../../../parts/Switch.tsx';
import { pretty } from '../model/input.ts';
import { readJson } from '../model/json-text.ts';
import type { WebmcpState } from '../types.ts';
import type { Check } from './useCheck.ts';

const FORMS = [
  ['exact', 'Exact'],
  ['readable', 'Readable'],
] as const;
/** The largest manifest that the service signs. */
const MAX_KIB = 256;

/** The document as it would be signed, in canonical form. */
export function PreviewDialog({
  check,
  state,
  onClose,
}: {
  check: Check;
  state: WebmcpState;
  onClose: () => void;
}) {
  const [form, setForm] = useState<'exact' | 'readable'>('readable');
  const text = check.answer?.document ?? '';
  const read = readJson(text);
  return (
    <Dialog title="Preview" wide onClose={onClose}>
      {text === '' ? (
        <Problem said={{ message: 'No document yet: fix the problems first.', severity: 'error' }} />
      ) : (
        <>
          <div className="preview-head">
            <Segments legend="Form" value={form} options={FORMS} onChoose={setForm} />
            <p className="quiet number">
              {counted(check.answer?.bytes ?? 0, 'byte')} of {MAX_KIB} KiB
              {!check.current && ' · checking again'}
            </p>
          </div>
          <CodeBlock
            title={
              form === 'exact' ? 'Canonical form (RFC 8785), the signed bytes' : 'The same document, indented'
            }
            what="the document"
            code={form === 'readable' && read.ok ? pretty(read.value) : text}
            wrap={form === 'exact'}
          />
        </>
      )}
      <p className="aside">
        Signing updates the times and adds <code>signature</code>: Ed25519 over exactly these bytes, with the
        key of this property.
        {state.published !== null && (
          <>
            {' '}
            <a href={state.manifest_url} target="_blank" rel="noreferrer">
              Open the published document
            </a>
            .
          </>
        )}
      </p>
    </Dialog>
  );
}
