/** Custom tracking domains: claimed, proved by a TXT record, looked at again every day, and looked up by host at every request. */

export { createTxtLookup, type TxtLookup } from './challenge.ts';
export {
  createDomains,
  type Domains,
  type DomainsOptions,
  freeDomains,
  type TrackingDomain,
} from './domains.ts';
export type { ServedDomain } from './served-hosts.ts';
