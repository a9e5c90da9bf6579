/** Where spoofed visits come from. */
import { z } from '@hono/zod-openapi';
import { networkName } from '../../common/index.ts';
import { type SpoofSourceRow, spoofSourceList } from '../../warehouse/index.ts';
import { column, defineTable, type ItemOf, integer, number, text, time } from '../columns.ts';
import { readPage, readWhole, type WarehouseList } from '../listing.ts';
import { moment, rounded } from '../numbers.ts';
import { defineList } from '../report.ts';

const table = defineTable('SpoofSourceItem', {
  asn: integer('Network (ASN)', null, '0: the edge did not say'),
  country: text('Country'),
  hits: number('Visits', 'visits'),
  estimated: number('Visits, estimated', 'visits', 'The part that comes from samples'),
  bots: integer('Bots', 'bots'),
  paths: integer('Paths', 'paths'),
  claimed: column(
    z.array(z.string()).openapi({ description: 'The bots they claimed to be, at most ten names' }),
    'texts',
    'Names used',
  ),
  first_seen: time('First seen'),
  last_seen: time('Last seen'),
  network: text('Network'),
});

export const spoofSources = defineList({
  name: 'spoof-sources',
  path: 'trust/sources',
  summary: 'Where spoofed visits come from, by network and country',
  schema: 'SpoofSources',
  population: 'all',
  sorts: ['hits', 'asn', 'country', 'last_seen'],
  tables: [table],
  run: (context, parameters) => readPage(context, list, parameters),
  whole: (context) => readWhole(context, list),
});

const list: WarehouseList<SpoofSourceRow, ItemOf<typeof table>> = {
  spec: spoofSourceList,
  items: (_, rows) =>
    rows.map(({ asn, country, hits, estimated, bots, paths, claimed, first_at, last_at }) => ({
      asn,
      country,
      hits: rounded(hits),
      estimated: rounded(estimated),
      bots,
      paths,
      claimed: [...claimed],
      first_seen: moment(first_at),
      last_seen: moment(last_at),
      network: networkName(asn),
    })),
};
