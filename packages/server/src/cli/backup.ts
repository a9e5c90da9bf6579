/** `ghostlight backup` and `ghostlight restore`. A running service makes its own backup; a restore runs beside none. */
import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  addsUp,
  BackupError,
  type BackupProgress,
  type BackupReport,
  type BackupRequest,
  type Manifest,
  nameAt,
  PASSPHRASE_CHARACTERS,
  type RestoreReport,
} from '../backup/index.ts';
import { count, counted, percent, size } from '../common/index.ts';
import type { Config } from '../config.ts';
import { quietly } from './client.ts';
import {
  type CommandContext,
  CommandError,
  type Group,
  type Leaf,
  type Option,
  UsageError,
} from './command.ts';
import { secretWord } from './secret-file.ts';
import { findRunning } from './socket.ts';

const PASSPHRASE_FILE: Option = {
  name: 'passphrase-file',
  value: 'FILE',
  about: 'the file with the passphrase of the secrets, or - for standard input; without it BACKUP_PASSPHRASE',
};
const FILE = { name: 'FILE', about: 'the backup' };
const ROWS = ['row', 'rows'] as const;

export const backup: Group = {
  name: 'backup',
  summary: 'make a backup while the service runs, or check one',
  default: 'create',
  subcommands: [
    {
      name: 'create',
      summary: 'write everything into one file: stores, spool, secrets',
      about:
        'The service may run, and keeps accepting hits. The secrets are encrypted with a passphrase; keep it elsewhere than the backup. If it fails or is stopped, there is no file.',
      arguments: [
        {
          name: 'FILE',
          about: 'a new file, or a folder in which it is named by the time; the current one by default',
          optional: true,
        },
      ],
      options: [
        PASSPHRASE_FILE,
        {
          name: 'warehouse-to',
          value: 'PLACE',
          about: 'with CLICKHOUSE_URL: where the server writes its copy; without it BACKUP_WAREHOUSE_TO',
        },
        {
          name: 'without-secrets',
          about: 'leave out SECRET_KEY and the admin token; then keep SECRET_KEY yourself',
        },
      ],
      json: '{"file", "size", "manifest", "seconds", "paused_ms"}',
      examples: [
        {
          does: 'Into a folder, with a passphrase from a file',
          command: 'ghostlight backup create /var/backups/ --passphrase-file /root/backup-passphrase',
        },
        {
          does: 'With a ClickHouse server',
          command: `ghostlight backup create /var/backups/ --warehouse-to "Disk('backups', '{name}')"`,
        },
        { does: 'Without the secrets', command: 'ghostlight backup create --without-secrets' },
      ],
      run: create,
    },
    {
      name: 'verify',
      summary: 'read a backup to its end, and compare every checksum',
      about: 'Changes nothing. A passphrase, if given, is tested too.',
      arguments: [FILE],
      options: [PASSPHRASE_FILE],
      json: '{"manifest"}',
      examples: [{ does: 'Before you rely on it', command: 'ghostlight backup verify ghostlight.tar.zst' }],
      run: verify,
    },
  ],
};

export const restore: Leaf = {
  name: 'restore',
  summary: 'put a backup into DATA_DIR; no service may run on it',
  about:
    'Checks versions, passphrase and every checksum first. Refuses a DATA_DIR that holds data, unless --replace moves it aside; what was deleted, erased or revoked there since the backup stays so. With an empty DATA_DIR, these changes are undone.',
  arguments: [FILE],
  options: [
    PASSPHRASE_FILE,
    { name: 'without-secrets', about: 'restore without SECRET_KEY and the admin token' },
    { name: 'replace', about: 'move what DATA_DIR holds into a folder in it, before-restore-…' },
  ],
  json: '{"manifest", "moved_to", "kept", "not_kept", "needs_secret_key"}',
  examples: [
    {
      does: 'Into an empty DATA_DIR',
      command:
        'DATA_DIR=/var/lib/ghostlight ghostlight restore ghostlight.tar.zst --passphrase-file passphrase',
    },
    { does: 'Over what is there', command: 'ghostlight restore ghostlight.tar.zst --replace' },
  ],
  run: putBack,
};

async function create(context: CommandContext) {
  const { config, argument, flag, print } = context;
  const passphrase = flag('without-secrets') ? null : await passphraseOf(context);
  if (passphrase === null && !flag('without-secrets'))
    throw new UsageError(
      'The secrets need a passphrase: give --passphrase-file FILE, set BACKUP_PASSPHRASE, or leave them out with --without-secrets.',
    );
  if (passphrase !== null && passphrase.length < PASSPHRASE_CHARACTERS)
    throw new UsageError(`The passphrase needs at least ${PASSPHRASE_CHARACTERS} characters.`);
  const request = {
    to: await placeFor(argument('FILE')),
    passphrase,
    warehouseTo: context.option('warehouse-to') ?? config.backupWarehouseTo,
  };
  const report = await explained(() => make(config, request, teller(print)));
  return { data: report, text: reportText(report) };
}

/** By the service that runs on the data directory; else by one that is opened for it. */
async function make(
  config: Config,
  request: BackupRequest,
  onProgress: (progress: BackupProgress) => void,
): Promise<BackupReport> {
  const running = await findRunning(config.dataDir);
  if (running === null) {
    const { createService } = await import('../service.ts');
    const service = await createService(quietly(config), { listen: false, needsWarehouse: true });
    const ended = new AbortController();
    const end = () => ended.abort();
    process.once('SIGINT', end).once('SIGTERM', end);
    try {
      return await service.backups.create(request, onProgress, ended.signal);
    } finally {
      process.off('SIGINT', end).off('SIGTERM', end);
      await service.stop();
    }
  }
  let report: BackupReport | null = null;
  const status = await running.lines('/control/backup', request, (line) => {
    const said = line as { progress?: BackupProgress; done?: BackupReport; failed?: string };
    if (said.failed !== undefined) throw new CommandError(said.failed);
    if (said.done !== undefined) report = said.done;
    if (said.progress !== undefined) onProgress(said.progress);
  });
  if (status === 404)
    throw new CommandError(
      'The service that runs is of a version without backups. Restart it with this one.',
    );
  if (report === null)
    throw new CommandError('The service stopped before the backup was complete; no file was written.');
  return report;
}

async function verify(context: CommandContext) {
  const file = resolve(context.argument('FILE'));
  const passphrase = await passphraseOf(context);
  const { verify: check } = await import('../restoration.ts');
  const manifest = await explained(() => check(file, passphrase, teller(context.print)));
  return {
    data: { manifest },
    text: [`The backup is whole: every checksum is right${openedText(manifest)}.`, ...factsOf(manifest)],
  };
}

/** What a check opens: tables of a server are not read before a restore loads them. */
function openedText({ state, spools }: Manifest): string {
  const opened = [
    ...(state.kind === 'file' ? ['the state database'] : []),
    ...(spools.kind === 'file' ? ['the spool'] : []),
  ];
  if (opened.length === 0) return '';
  return `, and ${opened.join(' and ')} ${opened.length === 1 ? 'holds' : 'hold'} the rows that the backup names`;
}

async function putBack(context: CommandContext) {
  const { config, argument, flag, print } = context;
  const { restore: run } = await import('../restoration.ts');
  const request = {
    file: resolve(argument('FILE')),
    passphrase: flag('without-secrets') ? null : await passphraseOf(context),
    withoutSecrets: flag('without-secrets'),
    replace: flag('replace'),
  };
  const report = await explained(() => run(quietly(config), request, teller(print)));
  return { data: report, text: restoredText(report, config.dataDir) };
}

/** @returns null: none was given @throws UsageError when the file can't be read */
async function passphraseOf({ option, config }: CommandContext): Promise<string | null> {
  const file = option('passphrase-file');
  if (file === undefined) return config.backupPassphrase;
  if (file === '-') return await secretWord('-');
  const text = await readFile(file, 'utf8').catch((error: { code?: string }) => {
    throw new UsageError(`The passphrase in ${file} can’t be read (${error.code}).`);
  });
  return text.replace(/\r?\n$/, '');
}

async function placeFor(word: string): Promise<string> {
  const path = resolve(word);
  const isFolder =
    word === '' || word.endsWith('/') || (await stat(path).catch(() => null))?.isDirectory() === true;
  if (!isFolder) return path;
  return join(path, nameAt(Date.now()));
}

async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof BackupError ? new CommandError(error.message) : error;
  }
}

/** A line for each step, and for each tenth of a long one. */
function teller(print: (line: string) => void): (progress: BackupProgress) => void {
  let last = '';
  return ({ step, bytes = 0, of = 0 }) => {
    const tenth = of === 0 ? 0 : Math.floor((bytes / of) * 10);
    const line = `${step.charAt(0).toUpperCase()}${step.slice(1)} …${tenth === 0 ? '' : ` ${percent(tenth / 10)}`}`;
    if (line !== last) print(line);
    last = line;
  };
}

function reportText({ file, size: bytes, manifest, seconds, paused_ms }: BackupReport): string[] {
  return [
    `The backup is ${file} (${size(bytes)}), made in ${seconds.toFixed(1)} s; shipping paused for ${paused_ms} ms.`,
    ...factsOf(manifest),
    ...(manifest.secrets === null
      ? ['The secrets are not in it: keep SECRET_KEY (or DATA_DIR/secret-key) elsewhere.']
      : ['Its secrets need the passphrase: keep that elsewhere than the backup.']),
  ];
}

/** What is in it, and the law of conservation. */
export function factsOf({ version, created_at, warehouse, state, spools }: Manifest): string[] {
  const rows = (tables: readonly { readonly rows: number }[]) =>
    tables.reduce((sum, table) => sum + table.rows, 0);
  const hits = warehouse.tables.find(({ name }) => name === 'hits')?.rows ?? 0;
  const laws = Object.entries(spools.figures).map(([name, figures]) => {
    const parts = [
      `${count(figures.stored)} stored`,
      `${count(figures.waiting)} waiting`,
      ...(['unstorable', 'late_duplicate', 'lost'] as const).flatMap((part) =>
        figures[part] === 0 ? [] : [`${count(figures[part])} ${part.replace('_', ' ')}`],
      ),
    ];
    const verdict = addsUp(figures) ? '' : ' (this does not add up)';
    return `Spool "${name}": ${count(figures.kept)} kept = ${parts.join(' + ')}${verdict}.`;
  });
  return [
    `It holds the state at ${created_at}, written by Ghostlight ${version}.`,
    `Warehouse: ${counted(hits, ['hit', 'hits'])}, ${counted(rows(warehouse.tables), ROWS)} in ${warehouse.tables.length} tables. State: ${counted(rows(state.tables), ROWS)} in ${state.tables.length} tables.`,
    ...laws,
    ...elsewhereText(spools.elsewhere ?? []),
  ];
}

/** What no backup of one node can have, and how to have it. */
function elsewhereText(nodes: NonNullable<Manifest['spools']['elsewhere']>): string[] {
  if (nodes.length === 0) return [];
  return [
    `Not in this backup: the ${nodes.length === 1 ? 'spool of another node, which is on its' : 'spools of other nodes, which are on their'} own disk (SPOOL=file).`,
    ...nodes.map(
      ({ node_id, name, waiting, seen_at, running, stopped }) =>
        `  ${name} (node ${node_id}): ${counted(waiting, ROWS)} waiting ${
          running
            ? `at ${seen_at}`
            : stopped
              ? `when it stopped, ${seen_at}`
              : `when it was last heard of, ${seen_at}. It may have taken hits since`
        }`,
    ),
    'To have every hit in one backup, use SPOOL=postgres, or run "ghostlight spool drain" on those nodes first.',
  ];
}

/** What a restore would undo: kept, or to be done again. */
function undoneText({ manifest, kept, not_kept }: RestoreReport): string[] {
  if (kept === null)
    return [
      `No state database was there that could be compared. Deletions, erasures, revocations and removals of members made after ${manifest.created_at} are undone: deleted properties take data again, and revoked keys, tokens and share links work.`,
      'Before you open it to others, repeat them from your own record, or from a copy of the audit log. If you have neither, rotate every key and token.',
    ];
  const [deletions, erasures, revocations, removals] = [
    counted(kept.deletions, ['deletion', 'deletions']),
    counted(kept.erasures, ['erasure', 'erasures']),
    counted(kept.revocations, ['revocation', 'revocations']),
    counted(kept.removals, ['removed member', 'removed members']),
  ];
  return [
    `Kept, though made since the backup: ${deletions}, ${erasures}, ${revocations}, ${removals}. After the start, jobs delete and erase again what the backup has brought back.`,
    ...(not_kept.length === 0
      ? []
      : [
          `The backup is of an older version, without these tables: ${not_kept.join(', ')}. Repeat these changes by hand.`,
        ]),
  ];
}

function restoredText(report: RestoreReport, dataDir: string): string[] {
  const { manifest, moved_to, needs_secret_key } = report;
  return [
    `The backup is restored into ${dataDir}; every table has its original number of rows.`,
    ...factsOf(manifest),
    ...undoneText(report),
    ...(moved_to === null ? [] : [`What was there is in ${moved_to}. Delete it when you no longer need it.`]),
    ...(needs_secret_key
      ? [
          'Before the start, set SECRET_KEY or put the file secret-key back: credentials can’t be decrypted without it.',
        ]
      : []),
    'Never start it beside the original: both would ship the rows that wait in the spool.',
  ];
}
