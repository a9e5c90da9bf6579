import { visible } from '../../format/visible.ts';
import { useProperty } from '../property/useProperty.ts';
import { PathText } from './ReportLink.tsx';

interface PagePathProps {
  host: string;
  path: string;
}

/** Which page a row is about: its path, and after it its host, where that is not the property's own domain, or all that a home page is named by. Untrusted text. */
export function PagePath({ host, path }: PagePathProps) {
  const property = useProperty();
  const isNamed = host !== property?.domain || path === '/';
  return (
    <>
      <PathText path={path} />
      {isNamed && <span className="page-host mono"> {visible(host)}</span>}
    </>
  );
}
