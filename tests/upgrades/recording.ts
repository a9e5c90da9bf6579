/** What a version answered about its data directory, in a form that later versions can be compared with. */
import type { TestService } from '../harness/service.ts';
import { questions } from './scenario.ts';

export interface Recording {
  /** The property's. */
  readonly id: string;
  readonly from: string;
  readonly to: string;
  /** Name of a question → answer. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** A second property, of which the spool alone has visits: acknowledged, and not stored yet. One of each kind. */
  readonly late: string;
}

/** Depends on when it is asked, where the service listens, or what it has learnt since. */
const VOLATILE =
  /_at$|until|since|as_of|endpoint|^is_new$|^new|previous|change|before|^last_|^partial|^recount$|jku|etag|signature|url/;

/** Asks everything, and leaves out what is not of the data. @throws where an answer is not 200 */
export async function take(
  service: TestService,
  { id, from, to }: Pick<Recording, 'id' | 'from' | 'to'>,
): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const [name, path] of Object.entries(questions(from, to))) {
    const { status, body } = await service.api('GET', `/api/v1/properties/${id}${path}`);
    if (status !== 200) throw new Error(`${name}: ${status} ${JSON.stringify(body)}`);
    answers[name] = lasting(body);
  }
  return answers;
}

function lasting(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lasting);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !VOLATILE.test(name))
      .map(([name, member]) => [name, lasting(member)]),
  );
}
