import { CopyButton } from '../../../parts/CopyButton.tsx';

/** Anybody can sign as some issuer: the record in the zone's DNS is what says that this one may speak for the host. */
export function TrustPanel({ hosts, issuer }: { hosts: readonly string[]; issuer: string }) {
  const value = `v=webmcp1; issuer=${issuer}`;
  return (
    <section className="card panel" aria-label="Trust">
      <h2>Trust</h2>
      <p className="aside">
        Agents that don’t know this issuer believe it when the zone names it in DNS. Add one TXT record per
        host:
      </p>
      <ul className="records">
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
            <code className="break">{value}</code>
            <CopyButton text={value} what="the record’s value" />
          </span>
        </li>
      </ul>
    </section>
  );
}
