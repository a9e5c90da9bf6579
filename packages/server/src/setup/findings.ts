/** The sentences: each signal as what happened, what it means, and what to do next. */
import { sum } from '../common/index.ts';
import { aboutSource, pathOf, SOURCE_NAMES, SOURCES } from '../sources/index.ts';
import type { Observations, RejectedElement } from './observations.ts';
import type { CountedSignal } from './signals.ts';

export interface Finding {
  /** Names the finding for programs; the sentences may change. */
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly title: string;
  readonly detail: string;
  readonly action: string;
  /** How often; 0 where counting makes no sense. */
  readonly count: number;
  /** Epoch milliseconds; null where nothing happened. */
  readonly last_at: number | null;
}

type Sentences = Pick<Finding, 'severity' | 'title' | 'detail' | 'action'>;

const ADDRESSES = SOURCES.map(({ about }) => `${pathOf(about.name)} for ${about.inSentences}`);
const REISSUE = 'Copy the key again from where it was shown, or create a new one and revoke this one.';

const AUTH: Readonly<Record<string, Sentences>> = {
  missing: {
    severity: 'error',
    title: 'Requests come without a key.',
    detail: 'Neither the X-API-Key header nor the parameter header_X-API-Key was there.',
    action:
      'Send the ingest key in the header X-API-Key; for a log push job, add header_X-API-Key=<key> to the destination.',
  },
  bearer_prefix: {
    severity: 'error',
    title: 'The key is sent with “Bearer” in front.',
    detail: 'X-API-Key takes the key alone: “Bearer ” belongs in the Authorization header.',
    action: 'Remove “Bearer ” so that the value begins with svc_cf_.',
  },
  whitespace: {
    severity: 'error',
    title: 'The key has a space, a line break or quotes around it.',
    detail:
      'The key itself is right, but something was copied along with it, or the shell added a line break to the secret.',
    action: 'Set the secret again without them: printf %s "$KEY" adds no line break, echo does.',
  },
  two_keys: {
    severity: 'error',
    title: 'One request carries two different keys.',
    detail:
      'The X-API-Key header and the parameter header_X-API-Key differ (or one was sent twice), so it is unclear which one is meant.',
    action: 'Send the key in one place only.',
  },
  malformed: {
    severity: 'error',
    title: 'The key does not have the form of an ingest key.',
    detail:
      'An ingest key begins with svc_cf_ and is up to 50 characters long: it was cut, mixed up with another secret, or encoded.',
    action: REISSUE,
  },
  unknown: {
    severity: 'error',
    title: 'The key is not known here.',
    detail:
      'It has the right form, but this installation never issued it: it belongs to another one, or a character was lost.',
    action: REISSUE,
  },
  revoked: {
    severity: 'error',
    title: 'A revoked key was used.',
    detail: 'A sender used a key that was revoked, so its visits were rejected.',
    action:
      'Put a valid key into the sender’s settings. If it already has one, or isn’t yours, there is nothing to do.',
  },
};

const KINDS: Readonly<Record<string, Sentences>> = {
  unknown_attribution_id: {
    severity: 'error',
    title: 'Visits arrive with an attribution ID that this organization does not have.',
    detail:
      'The key is valid, but the attribution ID sent with it belongs to no property here: a typo, a deleted property, or an ID from another installation.',
    action: 'Copy this property’s ID into the sender’s settings.',
  },
  missing_attribution_id: {
    severity: 'error',
    title: 'Visits come without an attribution ID.',
    detail: 'Neither the visit nor the key says which property it belongs to.',
    action:
      'Set the attribution ID in the sender, add attribution_id=<id> to the log push address, or create a key that is pinned to this property.',
  },
  wrong_path: {
    severity: 'error',
    title: 'Something posts to an address that does not exist.',
    detail: 'It looks like a sender with a wrong path.',
    action: `Use ${inWords(ADDRESSES)}.`,
  },
  trailing_slash: {
    severity: 'error',
    title: 'A sender’s address ends with a trailing slash.',
    detail: 'The path with a slash at its end is another address, and it returns 404.',
    action: `Remove the slash at the end: ${SOURCE_NAMES.map(pathOf).join(', ')}.`,
  },
  no_address: {
    severity: 'warning',
    title: 'Bots arrive without an address.',
    detail:
      'The log or the application has no client address, so the vendors’ address ranges can’t verify the bots: they are unknown.',
    action:
      'Add the field with the client’s address to the log: ip, client_ip or remote_addr, as the setup page of your source names it. In a Node application, set trustProxy; in WordPress, choose it in Settings → Ghostlight.',
  },
  anonymized_address: {
    severity: 'warning',
    title: 'The sender truncates addresses.',
    detail: 'A truncated address can’t verify a bot, so all bots are unknown.',
    action:
      'Turn IP anonymisation off at the sender. This service forgets each address after it has checked the bot.',
  },
  proxy_address: {
    severity: 'warning',
    title: 'The log has the address of a proxy instead of the visitor’s.',
    detail:
      'The addresses belong to a private network, Cloudflare, Fastly or CloudFront. They can’t verify a bot, so all bots are unknown.',
    action:
      'Log the client’s own address (real_ip_header in nginx, mod_remoteip in Apache, trusted_proxies in Caddy), add trusted_proxies= to the URL, raise trustProxy in a Node application, or choose the line with your own address in Settings → Ghostlight of WordPress.',
  },
  validation_upload: {
    severity: 'info',
    title: 'Cloudflare’s validation upload was accepted.',
    detail:
      'The log push job reached this service with a valid key. It sends its first batch within a few minutes of being enabled.',
    action:
      'Nothing to do. If no visits follow, check that the job is enabled and what its filter lets through.',
  },
};

const FORMATS: Readonly<Record<string, Sentences>> = {
  csv: {
    severity: 'error',
    title: 'The log push job sends CSV.',
    detail: 'Lines must be JSON objects, one per line.',
    action: 'Set the job’s output type to ndjson, without prefixes, suffixes and delimiters of its own.',
  },
  unreadable: {
    severity: 'error',
    title: 'Lines do not match their source’s format.',
    detail:
      'Another server or another log format may have written them, or a syslog daemon has cut them short.',
    action:
      'Compare a rejected line with the format on the setup page. For a shipper, format= in the URL is the format of the lines; for CloudFront and HAProxy, fields= names their columns.',
  },
  not_json: {
    severity: 'error',
    title: 'What arrives is not JSON.',
    detail:
      'Lines could not be read as JSON objects: a changed record template, or another dataset’s format.',
    action:
      'Set the job’s output type to ndjson with the platform’s default template, and look at the rejected lines on the setup page.',
  },
};

/** Findings that come of signals and of rejected elements. */
export function signalFindings({ signals, quarantine }: Observations, state: string): Finding[] {
  const groups = Map.groupBy(signals, ({ kind, detail }) =>
    kind === 'auth_error' || kind === 'wrong_format' ? `${kind}:${detail}` : kind,
  );
  const findings = [...groups].flatMap(([code, group]) => {
    const sentences = sentencesFor(code, group, state);
    return sentences === null ? [] : [{ code, ...sentences, ...summed(group) }];
  });
  return [...findings, ...rejections(quarantine)];
}

function sentencesFor(code: string, group: readonly CountedSignal[], state: string): Sentences | null {
  const [kind = '', detail = ''] = code.split(':');
  if (kind === 'auth_error') return withOwner(AUTH[detail] ?? null, group);
  if (kind === 'wrong_format') return FORMATS[detail] ?? null;
  if (kind === 'dropped_not_ai') return dropped(group, state);
  if (kind === 'no_address') return withField(KINDS[kind] ?? null, group);
  const sentences = KINDS[kind] ?? null;
  const paths = kind === 'wrong_path' ? samplesOf(group) : [];
  if (sentences === null || paths.length === 0) return sentences;
  return { ...sentences, detail: `${sentences.detail} Asked for: ${paths.join(', ')}.` };
}

/** What the field that a log lacks is called by its sender. */
function withField(sentences: Sentences | null, group: readonly CountedSignal[]): Sentences | null {
  const fields = [...new Set(group.map(({ endpoint }) => endpoint))].flatMap((endpoint) => {
    const { addressField, title } = aboutSource(endpoint) ?? {};
    return addressField === undefined ? [] : [`${addressField} (${title})`];
  });
  if (sentences === null || fields.length === 0) return sentences;
  return { ...sentences, action: `Add the field with the client’s address to the log: ${inWords(fields)}.` };
}

/** Requests without an owner may come from anyone: a scanner's are no error of the reader's. */
function withOwner(sentences: Sentences | null, group: readonly CountedSignal[]): Sentences | null {
  if (sentences === null || group.some(({ organizationId }) => organizationId !== null)) return sentences;
  return {
    ...sentences,
    severity: 'warning',
    detail: `${sentences.detail} Without a valid key the sender is unknown: if yours works, this is another one.`,
  };
}

function dropped(group: readonly CountedSignal[], state: string): Sentences {
  const agents = samplesOf(group);
  const examples =
    agents.length === 0 ? '' : ` Last seen: ${agents.map((agent) => `“${agent}”`).join(', ')}.`;
  return {
    severity: state === 'waiting' ? 'warning' : 'info',
    title: 'Requests were dropped because they are neither AI bots nor visits from AI engines.',
    detail: `That is right for people and other bots: only AI traffic is kept.${whySent(group)}${examples}`,
    action:
      'If an AI crawler is among them, refresh the bot list; if you expected your own test here, send it with a crawler’s user agent, for example GPTBot/1.2.',
  };
}

/** Why such hits come at all: a log can't tell, a collector can. */
function whySent(group: readonly CountedSignal[]): string {
  const logs = [...new Set(group.map(({ endpoint }) => endpoint))].flatMap((endpoint) => {
    const about = aboutSource(endpoint);
    return about?.kind === 'log' ? [about] : [];
  });
  if (logs.length === 0)
    return ' The collector uses its own bot list, which may be a different version from this service’s.';
  const names = inWords(logs.map(({ inSentences }) => inSentences));
  const all = ` ${names.charAt(0).toUpperCase()}${names.slice(1)} ${logs.length === 1 ? 'sends' : 'send'} every visit of the zone`;
  return group.every(({ endpoint }) => logs.some(({ name }) => name === endpoint))
    ? `${all}.`
    : `${all}; the collector uses its own bot list, which may be a different version.`;
}

/** `a`, `a and b`, `a, b and c`. */
export function inWords(parts: readonly string[]): string {
  return [parts.slice(0, -1).join(', '), ...parts.slice(-1)].filter((part) => part !== '').join(' and ');
}

function rejections(quarantine: readonly RejectedElement[]): Finding[] {
  // These two have a finding of their own, with a count that is whole.
  const counted = ['unknown_attribution_id', 'missing_attribution_id', 'csv', 'not_json'];
  const others = quarantine.filter(({ reason }) => !counted.includes(reason));
  const groups = Map.groupBy(others, ({ reason, field }) => `${reason}:${field ?? ''}`);
  return [...groups].map(([code, group]) => {
    const [first] = group;
    const place =
      first?.field === null || first === undefined ? 'the element as a whole' : `“${first.field}”`;
    return {
      code: `rejected:${code}`,
      severity: 'error' as const,
      title: `Visits are rejected: ${REASONS[first?.reason ?? ''] ?? first?.reason ?? 'unknown'}.`,
      detail: `The problem is with ${place}. Other visits of the same request are kept.`,
      action:
        'Look at the rejected elements on the setup page: they are shown as received, with addresses and query values removed.',
      count: group.length,
      last_at: Math.max(...group.map(({ at }) => at)),
    };
  });
}

const REASONS: Readonly<Record<string, string>> = {
  not_an_object: 'they are JSON, but not objects',
  line_too_long: 'a line is longer than 1 MiB',
  too_many_members: 'an object has more than 4,000 members',
  missing: 'a required field is missing or empty',
  wrong_type: 'a field has a type that can’t be read',
  out_of_range: 'a number is out of range',
  not_a_time: 'the time is in an unknown format',
  in_future: 'their time is more than a day in the future (is the sender’s clock right?)',
  too_old: 'their time is more than 31 days ago (or in another unit)',
  past_retention: 'they are older than the property’s retention for their kind (Settings, Retention)',
  unstorable: 'the warehouse can’t hold them',
};

function samplesOf(group: readonly CountedSignal[]): string[] {
  return [...new Set(group.flatMap(({ samples }) => samples))].slice(0, 3);
}

function summed(group: readonly CountedSignal[]): Pick<Finding, 'count' | 'last_at'> {
  return {
    count: sum(group, ({ count }) => count),
    last_at: Math.max(...group.map(({ lastAt }) => lastAt)),
  };
}
