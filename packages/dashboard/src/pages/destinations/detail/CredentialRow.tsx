import { Mark } from '../../../parts/Sign.tsx';
import type { SchemaField } from '../model/schema.ts';

interface CredentialRowProps {
  field: SchemaField;
  isSet: boolean;
  pending: boolean;
  onOpen: () => void;
  onRemove: () => void;
}

export function CredentialRow({ field, isSet, pending, onOpen, onRemove }: CredentialRowProps) {
  return (
    <div className="credential">
      <div>
        <p className="field-label">{field.title}</p>
        {isSet ? <Mark tone="good" title="Set" /> : <Mark tone="off" title="Not set" />}
      </div>
      <div className="panel-actions">
        {isSet && !field.required && (
          <button
            type="button"
            className="button button-small button-plain"
            aria-label={`Remove ${field.title}`}
            disabled={pending}
            onClick={onRemove}
          >
            Remove
          </button>
        )}
        <button
          type="button"
          className="button button-small"
          aria-label={`${isSet ? 'Replace' : 'Set'} ${field.title}`}
          onClick={onOpen}
        >
          {isSet ? 'Replace' : 'Set'}
        </button>
      </div>
    </div>
  );
}
