import { expect, it } from 'vitest';
import { REPORTS } from './register.ts';

/** As they were when files were first given out. Sheets and scripts read columns by their position: a new one goes to the end. */
const HEADS: Readonly<Record<string, string>> = {
  BotItem:
    'vendor,bot,intent,engine,bots,pages,files,share,is_new,hits,estimated,verified,spoofed,unknown,bytes,ok,redirects,client_errors,server_errors,estimates.verified,estimates.spoofed,estimates.unknown,estimates.ok,estimates.redirects,estimates.client_errors,estimates.server_errors,first_seen,last_seen,previous.hits,previous.compared_with,previous.pages,change',
  PageItem:
    'host,path,kind,bots,hits,estimated,verified,spoofed,unknown,bytes,ok,redirects,client_errors,server_errors,estimates.verified,estimates.spoofed,estimates.unknown,estimates.ok,estimates.redirects,estimates.client_errors,estimates.server_errors,first_seen,last_seen,training,search,on_demand,other,previous.hits,previous.compared_with,change',
  BotPageItem:
    'host,path,kind,bot,vendor,intent,hits,estimated,verified,spoofed,unknown,bytes,ok,redirects,client_errors,server_errors,estimates.verified,estimates.spoofed,estimates.unknown,estimates.ok,estimates.redirects,estimates.client_errors,estimates.server_errors,first_seen,last_seen,previous.hits,previous.compared_with,change',
  FolderItem:
    'folder,is_folder,kind,pages,files,bots,hits,estimated,verified,spoofed,unknown,bytes,ok,redirects,client_errors,server_errors,estimates.verified,estimates.spoofed,estimates.unknown,estimates.ok,estimates.redirects,estimates.client_errors,estimates.server_errors,first_seen,last_seen,training,search,on_demand,other,previous.hits,previous.compared_with,change',
  UnreadPageItem: 'host,path,kind,last_read,reason,last_requested,last_status,blocked,blocked_bots',
  FailureItem:
    'host,path,bot,vendor,intent,failures,hits,failing_share,estimated,redirects,client_errors,server_errors,estimates.hits,estimates.redirects,estimates.client_errors,estimates.server_errors,estimates.on_demand,estimates.spoofed,statuses.0.status,bots,on_demand,spoofed,first_failure,last_failure,score',
  TrustItem:
    'vendor,bot,intent,hits,estimated,verified,spoofed,unknown,spoofed_share,estimates.verified,estimates.spoofed,estimates.unknown,methods.signature,methods.edge_cidr,methods.edge_platform,methods.server_cidr,reasons.signature,reasons.edge_ranges,reasons.ranges,reasons.edge_platform,reasons.outside_ranges,reasons.edge_says_no,reasons.no_ranges_published,reasons.ranges_not_read,reasons.partial_ranges,reasons.ranges_stale,reasons.no_address,reasons.sampled_address,reasons.edge_unchecked,reasons.edge_lists_unknown,reasons.claim_without_method,reasons.signature_agent_unknown,reasons.signature_of_another,reasons.users_machine,reasons.not_recorded,previous.hits,previous.spoofed,last_spoofed,reasons.anonymized_address,reasons.proxy_address,reasons.log_signature,reasons.signature_invalid,reasons.signature_expired,reasons.signature_other_host,reasons.signature_incomplete,reasons.signature_key_unknown,reasons.signature_unchecked',
  SpoofSourceItem: 'asn,country,hits,estimated,bots,paths,claimed,first_seen,last_seen,network',
  ReferralItem:
    'engine,host,path,visits,estimated,by_signal.referrer,by_signal.app,by_signal.utm_source,pages,failed,first_seen,last_seen,previous.visits,previous.compared_with,change',
};

it('the columns of each file are those that its readers know, in their order', () => {
  const tables = REPORTS.flatMap(({ list }) => list?.tables ?? []);
  const heads = tables.map(({ name, file }) => [name, file.map((column) => column.name).join(',')]);
  expect(Object.fromEntries(heads)).toEqual(expect.objectContaining(HEADS));
});
