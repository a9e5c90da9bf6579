import { visible } from '../../format/visible.ts';
import { useProperty } from '../property/useProperty.ts';

/** The host behind a path, where it is not the property's own domain: on every row that would say nothing. */
export function OtherHost({ host }: { host: string }) {
  const property = useProperty();
  return host === property?.domain ? null : (
    <>
      {' '}
      <span className="other-host mono">{visible(host)}</span>
    </>
  );
}
