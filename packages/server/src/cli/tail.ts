/** `ghostlight tail` and `ghostlight import`: the commands of the package ghostlight-tail, which servers without this service install alone. */
import { type Ended, FIGURES } from '../../../tail/src/ended.ts';
import { Fault, Misuse } from '../../../tail/src/faults.ts';
import { closeConnections } from '../../../tail/src/http.ts';
import { runImport } from '../../../tail/src/import.ts';
import { processAround } from '../../../tail/src/main.ts';
import { type CommandSpec, IMPORT, TAIL, type Values } from '../../../tail/src/options.ts';
import type { Surroundings } from '../../../tail/src/surroundings.ts';
import { runTail } from '../../../tail/src/tail.ts';
import { CommandError, type Leaf, UsageError } from './command.ts';

function leafOf(
  { name, summary, about, options, examples }: CommandSpec,
  run: (values: Values, around: Surroundings) => Promise<Ended>,
): Leaf {
  return {
    name,
    summary,
    about,
    arguments: [{ name: 'FILE', about: 'access log, or a pattern in quotes', optional: true, repeats: true }],
    options,
    json: FIGURES,
    examples: examples.map(({ does, command }) => ({
      does,
      command: command.replace(/^ghostlight-tail (?:tail |import )?/, `ghostlight ${name} `),
    })),
    async run({ arguments: words, option, flag }) {
      try {
        const { exitCode, figures } = await run({ files: words('FILE'), option, flag }, processAround());
        return { data: figures, exitCode };
      } catch (error) {
        if (error instanceof Misuse) throw new UsageError(error.message);
        throw error instanceof Fault ? new CommandError(error.message) : error;
      } finally {
        closeConnections();
      }
    },
  };
}

export const tail = leafOf(TAIL, runTail);
export const imports = leafOf(IMPORT, runImport);
