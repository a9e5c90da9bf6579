/** Conversions by AI engine: a conversion records the source as it came, and the list of referrers says whose it is. */
import type { Database } from '../database/index.ts';
import type { Owner } from '../properties/index.ts';
import type { ConversionFacets } from './facets.ts';

/** Whose a source is; null: no AI engine's. `maker` is the key that the engine's crawlers have. */
export type EngineOf = (source: string) => { readonly product: string; readonly maker: string } | null;

interface Period {
  /** Epoch milliseconds, inside and outside. */
  readonly from: number;
  readonly to: number;
}

interface Asked {
  readonly engine?: string | undefined;
}

/** Of the conversions of one period. Their sources are read once, when first asked for. */
export interface PeriodEngines {
  /** Products to which conversions are attributed, by name. */
  engines(): Promise<string[]>;
  /** The period's filter, with `engine`, a product's name or its maker's key, put as the sources that it stands for. */
  narrowed<Filter extends ConversionFacets & Asked>(
    filter: Filter,
  ): Promise<Omit<Filter, 'engine'> & Period & Pick<ConversionFacets, 'sources'>>;
}

export type EngineFilter = (owner: Owner, period: Period) => PeriodEngines;

/** The author of a link names the source. Those with most conversions are looked at. */
const MAX_SOURCES = 5_000;

export function createEngineFilter(database: Database, engineOf: EngineOf): EngineFilter {
  const sourcesOf = async ({ id, organizationId }: Owner, { from, to }: Period): Promise<string[]> => {
    const rows = await database.reader
      .selectFrom('conversions')
      .select('source')
      .where('attribution_id', '=', id)
      .where('organization_id', '=', organizationId)
      .where('occurred_at', '>=', from)
      .where('occurred_at', '<', to)
      .where('source', 'is not', null)
      .groupBy('source')
      .orderBy(({ fn }) => fn.countAll(), 'desc')
      .limit(MAX_SOURCES)
      .execute();
    return rows.flatMap(({ source }) => (source === null ? [] : [source]));
  };
  return (owner, period) => {
    let reading: Promise<string[]> | undefined;
    const sources = (): Promise<string[]> => (reading ??= sourcesOf(owner, period));
    return {
      async engines() {
        return [...new Set((await sources()).flatMap((source) => engineOf(source)?.product ?? []))].sort();
      },
      async narrowed({ engine, ...filter }) {
        if (engine === undefined) return { ...filter, ...period };
        const wanted = engine.toLowerCase();
        const isOf = (source: string): boolean => {
          const found = engineOf(source);
          return found !== null && [found.product.toLowerCase(), found.maker].includes(wanted);
        };
        return { ...filter, ...period, sources: (await sources()).filter(isOf) };
      },
    };
  };
}
