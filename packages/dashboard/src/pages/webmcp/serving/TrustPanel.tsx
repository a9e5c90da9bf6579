import { useQuery } from '@tanstack/react-query';
import { queries } from '../../../api/queries.ts';
import { OutOfReach } from '../../../features/property/OutOfReach.tsx';
import { isOutOfReach } from '../../../features/property/out-of-reach.ts';
import { CopyButton } from '../../../parts/CopyButton.tsx';

interface TrustPanelProps {
  hosts: readonly string[];
  issuer: string;
}

/** The DNS record that authorises the issuer to sign for the host. */
export function TrustPanel({ hosts, issuer }: TrustPanelProps) {
  const config = useQuery(queries.config()).data;
  const value = `v=webmcp1; issuer=${issuer}`;
  // A record with this value would be wrong.
  const isLocal = isOutOfReach(issuer);
  const verify = `npx ghostlight manifest verify ${hosts[0] ?? ''} --trust-dns`;
  return (
    <section id="dns-record" className="card panel" aria-label="DNS record">
      <div>
        <h2>DNS record</h2>
        <p className="quiet">Agents trust the signature once each host has this TXT record.</p>
      </div>
      <OutOfReach
        address={issuer}
        setting={
          config === undefined || config.base_url === config.app_base_url ? 'BASE_URL' : 'APP_BASE_URL'
        }
        before="you add the record"
      />
      <ul className="records">
        <li>
          <span>
            <span className="record-part">Type</span>
            <code>TXT</code>
          </span>
        </li>
        {hosts.map((host) => (
          <li key={host}>
            <span>
              <span className="record-part">Name</span>
              <code className="break">_webmcp.{host}</code>
              <CopyButton text={`_webmcp.${host}`} what={`the record name of ${host}`} />
            </span>
          </li>
        ))}
        <li>
          <span>
            <span className="record-part">Value</span>
            {isLocal ? (
              <span className="record-later">Available after you set BASE_URL</span>
            ) : (
              <>
                <code className="break">{value}</code>
                <CopyButton text={value} what="the record’s value" />
              </>
            )}
          </span>
        </li>
      </ul>
      <details className="record-command">
        <summary>Check it from the command line</summary>
        <p className="setting">
          <code className="break">{verify}</code>
          <CopyButton text={verify} what="the command that checks the record" />
        </p>
      </details>
    </section>
  );
}
