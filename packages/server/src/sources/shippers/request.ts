/** What the address of a request says for all of its lines. */
import { z } from '@hono/zod-openapi';
import { ServiceError } from '../../common/index.ts';
import { addressedAttributionId } from '../fields/address.ts';
import { type Observing, shareOf } from '../fields/observe.ts';
import type { SourceRequest } from '../source.ts';

/** What the addresses of all these sources take, for the OpenAPI document. */
export const COMMON_QUERY = {
  attribution_id: z.uuid().optional(),
  host: z.string().optional().openapi({ description: 'The site of visits that name none' }),
  sample_rate: z.coerce.number().optional().openapi({ description: 'Which share of all requests this is' }),
};

/** For sources whose logs have every request, unless the address says that they don't. */
export const WHOLE_QUERY = {
  whole: z.enum(['true', 'false']).optional().openapi({
    description:
      'false: the lines are chosen, not a whole log, so that other requests can’t be counted by them',
  }),
};

export const countsLines = ({ parameters }: SourceRequest): 'lines' | null =>
  parameters.get('whole') === 'false' ? null : 'lines';

export const addressed = ({ parameters }: SourceRequest): string | null => addressedAttributionId(parameters);

/**
 * `host` for logs that name none, `sample_rate` for logs of a share of all requests.
 * @throws ServiceError `invalid` for a share that is none: every figure would be wrong by it
 */
export function saidOfAll({ parameters }: SourceRequest): Pick<Observing, 'host' | 'loggedShare'> {
  const rate = parameters.get('sample_rate');
  if (rate !== null && rate !== '1' && shareOf(rate) === null && Number(rate) !== 1)
    throw new ServiceError(
      'invalid',
      'sample_rate is a number above 0 and up to 1: 0.1 for one of ten requests.',
    );
  return { host: (parameters.get('host') ?? '').slice(0, 255), loggedShare: shareOf(rate) };
}
