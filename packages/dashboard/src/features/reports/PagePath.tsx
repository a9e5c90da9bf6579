import { visible } from '../../format/visible.ts';
import { useProperty } from '../property/useProperty.ts';
import { PathText } from './ReportLink.tsx';

interface PagePathProps {
  host: string;
  path: string;
}

/** Which page a row is about: its path, and after it its host, where that is not the property's own domain. Untrusted text. */
export function PagePath({ host, path }: PagePathProps) {
  const property = useProperty();
  const isElsewhere = host !== property?.domain;
  return (
    <>
      <PathText path={path} />
      {isElsewhere && <span className="page-host mono"> {visible(host)}</span>}
    </>
  );
}
