/** What the pipeline has to know of a request: asks once per distinct attribution id which organization it belongs to, and what its property is set to. */
import type { CompiledLists } from '@ghostlight/core';
import { within } from '../common/index.ts';
import type { IngestContext } from './pipeline.ts';
import {
  type IngestDeps,
  type IngestKey,
  type IngestParts,
  NO_LIMITS,
  type Properties,
  type PropertyLimits,
} from './ports.ts';

/** With the second that checking a key may take, a sender has its answer within two. */
const OWNERS_MS = 900;

/** @param ids every attribution id that the request names, the key's default among them where it counts */
export async function contextOf<P>(
  deps: IngestParts<P>,
  key: IngestKey,
  ids: ReadonlySet<string>,
  receivedAt: number,
): Promise<IngestContext> {
  return {
    key,
    owners: await ownersOf(deps.properties, ids),
    domainsOf: deps.properties.domainsOf,
    lists: deps.lists.current(),
    searchEnginesOf: searchEnginesOf(deps),
    ...limitsOf(deps.properties),
    signatures: deps.signatures,
    isBot: deps.isBot,
    toRow: deps.toRow,
    receivedAt,
  };
}

/** What properties are set to at the beginning of a request, as plain data, which may travel between threads. */
export interface PropertyFacts {
  /** Attribution id → owning organization, for every id that the request names. */
  readonly owners: ReadonlyMap<string, string | null>;
  /** Attribution id → its domains, of the organization's own. */
  readonly domains: ReadonlyMap<string, readonly string[]>;
  /** Those that tell search crawlers apart. */
  readonly searching: ReadonlySet<string>;
  /** Attribution id → what it takes, of the organization's own. */
  readonly limits: ReadonlyMap<string, PropertyLimits>;
}

export function factsOf(
  properties: Pick<Properties, 'domainsOf' | 'tellsSearchEngines' | 'limitsOf'>,
  owners: IngestContext['owners'],
  organizationId: string,
): PropertyFacts {
  const own = [...owners].flatMap(([id, owner]) => (owner === organizationId ? [id] : []));
  return {
    owners,
    domains: new Map(own.map((id) => [id, properties.domainsOf(id)])),
    searching: new Set(own.filter((id) => properties.tellsSearchEngines(id))),
    limits: new Map(
      own.flatMap((id) => (properties.limitsOf === undefined ? [] : [[id, properties.limitsOf(id)]])),
    ),
  };
}

/** Waits only for what the properties room doesn't know at once. */
export async function ownersOf(
  properties: Pick<Properties, 'ownerOf'>,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string | null>> {
  const owners = new Map<string, string | null>();
  for (const id of ids) {
    const owner = properties.ownerOf(id);
    owners.set(id, owner instanceof Promise ? await within(OWNERS_MS, owner) : owner);
  }
  return owners;
}

/** Of one request, as below. */
function limitsOf(properties: Pick<Properties, 'limitsOf'>): Pick<IngestContext, 'limitsOf'> {
  if (properties.limitsOf === undefined) return {};
  const asked = new Map<string, PropertyLimits>();
  return {
    limitsOf(attributionId) {
      const known = asked.get(attributionId) ?? properties.limitsOf?.(attributionId) ?? NO_LIMITS;
      asked.set(attributionId, known);
      return known;
    },
  };
}

/** Of one request: what a property is set to at its beginning holds to its end. The lists are made only where one asks for them. */
function searchEnginesOf({
  properties,
  lists,
}: Pick<IngestDeps, 'properties' | 'lists'>): (attributionId: string) => CompiledLists | null {
  // As many as the request names.
  const asked = new Map<string, CompiledLists | null>();
  return (attributionId) => {
    const known = asked.get(attributionId);
    if (known !== undefined) return known;
    const found = properties.tellsSearchEngines(attributionId) ? lists.withSearchEngines() : null;
    asked.set(attributionId, found);
    return found;
  };
}
