import { describe, expect, it } from 'vitest';
import { type Command, CommandError, UsageError } from './command.ts';
import { runWords } from './testing.ts';

const greet: Command = {
  name: 'greet',
  summary: 'greet a person',
  about: 'Politely.',
  arguments: [
    { name: 'PERSON', about: 'who is greeted' },
    { name: 'TONE', about: 'how', choices: ['warm', 'cool'], optional: true },
  ],
  options: [
    { name: 'words', value: 'WORDS', about: 'what is said', required: true },
    { name: 'times', value: 'N', about: 'how often', number: true, default: '1' },
    { name: 'lamp', value: 'LAMP', about: 'which lamp', choices: ['red', 'green'] },
    { name: 'to', value: 'ORIGIN', about: 'whom else', repeats: true },
    { name: 'loud', about: 'with a raised voice' },
  ],
  json: '{"said"}',
  examples: [{ does: 'Ada', command: 'ghostlight greet Ada --words Hello' }],
  async run({ argument, option, number, flag, print }) {
    print('Clearing the throat …');
    const said = `${option('words')}, ${argument('PERSON')}${flag('loud') ? '!' : '.'}`;
    const rest = [argument('TONE'), number('times'), option('lamp'), option('to')].filter(Boolean);
    return { data: { said, rest }, text: [said, ...rest.map(String)], hint: 'Wait for the answer.' };
  },
};

const failing = (name: string, error: () => unknown): Command => ({
  name,
  summary: 'fail',
  examples: [],
  json: '{"tried"}',
  run: async () => {
    throw error();
  },
});

const COMMANDS: readonly Command[] = [
  greet,
  {
    name: 'lamps',
    summary: 'look after lamps',
    default: 'list',
    subcommands: [
      {
        name: 'list',
        summary: 'list the lamps',
        options: [{ name: 'colour', value: 'COLOUR', about: 'of one colour alone' }],
        examples: [],
        json: '{"lamps"}',
        run: async ({ option }) => ({ data: { lamps: [option('colour') ?? 'all'] }, text: 'Two lamps.' }),
      },
      {
        name: 'check',
        summary: 'check the lamps',
        examples: [],
        json: '{"broken"}',
        run: async () => ({ data: { broken: 1 }, text: 'One is broken.', failed: 'Replace it.' }),
      },
      {
        name: 'import',
        summary: 'import lamps',
        arguments: [{ name: 'FILE', about: 'of lamps', repeats: true }],
        examples: [],
        run: async (context) => ({ text: context.arguments('FILE').join('+'), exitCode: 3 }),
      },
    ],
  },
  { name: 'candles', summary: 'look after candles', subcommands: [greet] },
  failing('break', () => new CommandError('It broke.')),
  failing('misuse', () => new UsageError('Not like this.')),
  failing('fault', () => new Error('a fault of ours')),
];

const run = async (line: string) => await runWords(COMMANDS, line.split(' '));

describe('a command', () => {
  it('gets its arguments and options, whatever their order', async () => {
    const expected = {
      code: 0,
      stdout: 'Clearing the throat …\nHello, Ada!\nwarm\n2\nred\na,b\n',
      stderr: '',
    };
    expect(await run('greet Ada warm --words Hello --times 2 --lamp red --to a --to=b --loud')).toEqual(
      expected,
    );
    expect(await run('greet --words=Hello --loud --to a --to b Ada --times 2 warm --lamp red')).toEqual(
      expected,
    );
    expect(await run('--words Hello --loud greet --times 2 --to a,b Ada --lamp=red warm')).toEqual(expected);
  });

  it('may take an empty rest of the line as words, and many', async () => {
    expect(await run('lamps import a b c')).toEqual({ code: 3, stdout: 'a+b+c\n', stderr: '' });
    expect((await run('greet --words Hi -- --loud')).stdout).toContain('Hi, --loud.');
  });

  it('prints JSON alone with --json, and what it does meanwhile on standard error', async () => {
    const { stdout, stderr } = await run('greet Ada --words Hello --json');
    expect(JSON.parse(stdout)).toEqual({ said: 'Hello, Ada.', rest: [] });
    expect(stdout.trimEnd()).not.toContain('\n');
    expect(stderr).toBe('Clearing the throat …\n');
  });

  it('gives a hint to a person alone', async () => {
    const words = ['greet', 'Ada', '--words', 'Hi'];
    expect((await runWords(COMMANDS, words, { interactive: true })).stderr).toBe('\nWait for the answer.\n');
    expect((await runWords(COMMANDS, [...words, '--json'], { interactive: true })).stderr).not.toContain(
      'Wait',
    );
  });

  it('that fails has printed what it found, and exits 1', async () => {
    expect(await run('lamps check')).toEqual({
      code: 1,
      stdout: 'One is broken.\n',
      stderr: 'Replace it.\n',
    });
    expect(await run('lamps check --json')).toEqual({
      code: 1,
      stdout: '{"broken":1}\n',
      stderr: 'Replace it.\n',
    });
    expect(await run('break')).toEqual({ code: 1, stdout: '', stderr: 'It broke.\n' });
  });

  it('whose fault is ours is thrown, with its stack', async () => {
    await expect(run('fault')).rejects.toThrow('a fault of ours');
  });
});

describe('a group', () => {
  it('stands for its default subcommand', async () => {
    expect((await run('lamps')).stdout).toBe('Two lamps.\n');
    expect((await run('lamps --json')).stdout).toBe('{"lamps":["all"]}\n');
    expect((await run('lamps --colour red --json')).stdout).toBe('{"lamps":["red"]}\n');
  });

  it('without one shows what it has, and exits 2', async () => {
    const { code, stdout, stderr } = await run('candles');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(
      /^Usage: ghostlight candles COMMAND\n[\s\S]*^ {2}greet PERSON \[TONE\] --words WORDS/m,
    );
  });
});

describe('a wrong call exits 2, says what is wrong, and shows the usage', () => {
  const USAGE = 'Usage: ghostlight greet PERSON [TONE] --words WORDS [options]';
  it.each([
    ['greet --words Hi', "Missing required argument 'PERSON'.", USAGE],
    ['greet Ada', '--words is missing: what is said.', USAGE],
    ['greet Ada --words', "Option '--words WORDS' argument missing.", USAGE],
    ['greet Ada --words --loud', '--words needs a value.', USAGE],
    ['greet Ada --words=', '--words needs a value.', USAGE],
    ['greet Ada --words Hi --times often', '--times is a number, not "often".', USAGE],
    ['greet Ada --words Hi --lamp blue', '--lamp is one of red, green, not "blue".', USAGE],
    ['greet Ada icy --words Hi', 'TONE is one of warm, cool, not "icy".', USAGE],
    ['greet Ada warm too --words Hi', 'Too many arguments', USAGE],
    ['greet Ada --word Hi', "Unknown option '--word'. Did you mean --words?", USAGE],
    ['gret Ada', "Unknown command 'gret'. Did you mean greet?", 'ghostlight help'],
    ['dance --help', "Unknown command 'dance'.", 'ghostlight help'],
    ['help dance', "Unknown command 'dance'.", 'ghostlight help'],
    ['lamps lst', "Unknown command 'lst'. Did you mean list?", 'Usage: ghostlight lamps [COMMAND]'],
    ['--loudly', "Unknown option '--loudly'.", 'ghostlight help'],
    ['misuse', 'Not like this.', 'Usage: ghostlight misuse [options]'],
  ])('%s', async (line, sentence, usage) => {
    const { code, stdout, stderr } = await run(line);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr.startsWith(sentence), stderr).toBe(true);
    expect(stderr.split('\n').some((other) => other.includes(usage))).toBe(true);
  });
});

describe('help', () => {
  it('says what a command takes, with defaults, choices and examples, however it is asked for', async () => {
    const { code, stdout, stderr } = await run('greet --help');
    expect([code, stderr]).toEqual([0, '']);
    for (const part of [
      /^Usage: ghostlight greet PERSON \[TONE\] --words WORDS \[options\]$/m,
      /^Greet a person\. Politely\.$/m,
      /^ {2}TONE +how \(warm, cool\)$/m,
      /^ {2}--words WORDS +what is said \(required\)$/m,
      /^ {2}--times N +how often \(default: 1\)$/m,
      /^ {2}--to ORIGIN +whom else \(may be repeated\)$/m,
      /^ {2}--json +print JSON: \{"said"\}$/m,
      /^Examples:\n {2}# Ada\n {2}ghostlight greet Ada --words Hello$/m,
    ])
      expect(stdout).toMatch(part);
    for (const line of ['help greet', 'greet -h', '--help greet', 'greet Ada --words Hi --help'])
      expect((await run(line)).stdout).toBe(stdout);
    for (const line of ['help candles greet', 'candles help greet', 'candles greet --help'])
      expect((await run(line)).stdout).toContain('Usage: ghostlight candles greet PERSON');
  });

  it('of the program lists every command, and has no colours where no terminal shows them', async () => {
    for (const words of [[], ['help'], ['--help'], ['-h']]) {
      const { code, stdout } = await runWords(COMMANDS, words);
      expect(code).toBe(0);
      expect(stdout).toMatch(/^ {2}lamps +look after lamps$/m);
      expect(stdout).not.toContain('\u001b');
    }
  });

  it('of a group says which command it stands for', async () => {
    expect((await run('lamps --help')).stdout).toContain('Without a command it is "list".');
  });

  it('has the version', async () => {
    for (const line of ['--version', '-V']) expect((await run(line)).stdout).toBe('1.2.3\n');
  });
});
