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
      <PathText path={path} />
      <PageHost host={host} path={path} />
    </>
  );
}

/** The host of a page where it is not the property's own domain, and the name of a home page, which its path does not tell. */
export function PageHost({ host, path }: PagePathProps) {
  const property = useProperty();
  const said = [
    ...(path === '/' ? ['Home page'] : []),
    ...(host === property?.domain ? [] : [visible(host)]),
  ];
  return said.length === 0 ? null : <span className="page-host">{said.join(' · ')}</span>;
}
