import { visible } from '../../format/visible.ts';
import { useProperty } from '../property/useProperty.ts';
import { PathText } from './ReportLink.tsx';

interface PagePathProps {
  host: string;
  path: string;
}

/** Which page a row is about: its path, and below it what else names it. Untrusted text. */
export function PagePath({ host, path }: PagePathProps) {
  return (
    <>
      <PageText host={host} path={path} />
      <PageHost host={host} path={path} />
    </>
  );
}

/** A path; a home page is named by its host, because its path tells nothing. */
export const PageText = ({ host, path }: PagePathProps) => (
  <PathText path={path === '/' ? `${host}/` : path} />
);

/** The host of a page where it is not the property's own domain. A home page has it in its name. */
export function PageHost({ host, path }: PagePathProps) {
  const property = useProperty();
  return path === '/' || host === property?.domain ? null : (
    <span className="page-host">{visible(host)}</span>
  );
}
