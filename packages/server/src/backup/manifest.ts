/**
 * What a backup says of itself. `manifest.json` is its first file: everything that must be known before a byte of it is used. `checksums.json`
 * is its last one: a backup without it is cut off.
 */
import { isObject } from '@ghostlight/core';
import type { SealedSecrets } from './secrets.ts';

/** Raised when an older program could not read what a newer one writes. */
export const FORMAT = 1;

/** Of a backup made at this moment (epoch milliseconds); sorted as text, names are in the order of time. */
export const backupName = (at: number): string =>
  `ghostlight-${new Date(at).toISOString().slice(0, 19).replaceAll(':', '-')}Z`;

export const MANIFEST = 'manifest.json';
export const CHECKSUMS = 'checksums.json';
/** Neither is ever longer. */
export const MOST_TEXT_BYTES = 64 * 1024 * 1024;

/** SQLite in the data directory, or PostgreSQL. */
export type StateKind = 'file' | 'server';
export type WarehouseKind = 'embedded' | 'server';
export type SpoolKind = 'file' | 'server';

/** Counters of a spool at the moment of the backup, by their names in the spool. */
export interface SpoolFigures {
  /** Acknowledged rows that no store had confirmed. */
  readonly waiting: number;
  readonly received: number;
  readonly kept: number;
  readonly dropped: number;
  readonly rejected: number;
  readonly duplicate: number;
  readonly stored: number;
  readonly unstorable: number;
  readonly late_duplicate: number;
  readonly lost: number;
}

/** A spool on the disk of another node, which this backup does not have. */
export interface SpoolElsewhere {
  readonly node_id: string;
  /** Of its host. */
  readonly name: string;
  /** Rows that waited there when the node was last heard of. */
  readonly waiting: number;
  /** RFC 3339. */
  readonly seen_at: string;
  /** It was heard of within three minutes, and has not stopped. */
  readonly running: boolean;
  /** It stopped in order: what waited then is all. If it neither runs nor stopped, hits may have come since it was heard of. */
  readonly stopped: boolean;
}

export interface TableFigures {
  readonly name: string;
  readonly rows: number;
}

export interface WarehouseTable extends TableFigures {
  /** The statement that makes it, as the engine tells it. */
  readonly create: string;
  /** Names of its parts in the backup; none on a server. */
  readonly parts: readonly string[];
}

export interface Manifest {
  readonly format: number;
  /** Of the program that made it. */
  readonly version: string;
  /** RFC 3339: the moment that it shows. */
  readonly created_at: string;
  readonly node_id: string;
  readonly state: {
    readonly kind: StateKind;
    /** Name of the newest migration. */
    readonly migration: string;
    readonly tables: readonly TableFigures[];
  };
  readonly warehouse: {
    readonly kind: WarehouseKind;
    /** Number of the newest schema step. */
    readonly schema: number;
    /** Name of its database. */
    readonly database: string;
    readonly tables: readonly WarehouseTable[];
    /** Where a server has put its own backup, as its statement names it; null: the parts are in here. */
    readonly stored_at: string | null;
  };
  readonly spools: {
    readonly kind: SpoolKind;
    /** Version of their format. */
    readonly format: number;
    /** In PostgreSQL; none of files. */
    readonly tables: readonly TableFigures[];
    /** By name: `hits`, `events`, `event-rows`. */
    readonly figures: Readonly<Record<string, SpoolFigures>>;
    /** Not in this backup; absent in those of earlier versions. */
    readonly elsewhere?: readonly SpoolElsewhere[];
  };
  /** Names the SECRET_KEY that encrypted what is in the state database; tells nothing about it. */
  readonly secret_key_id: string;
  /** Null: left out. */
  readonly secrets: SealedSecrets | null;
  /** Files of it and their bytes, without this one and the last one. */
  readonly files: number;
  readonly bytes: number;
}

/** A backup that can't be used; the message says what to do. */
export class BackupError extends Error {
  constructor(sentence: string, options: { cause?: unknown } = {}) {
    super(sentence, options);
    this.name = 'BackupError';
  }
}

/** @throws BackupError when it is no manifest, or one that only a newer program reads */
export function readManifest(text: string, version: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new BackupError('This is no backup of Ghostlight: its first file is not a manifest.', {
      cause: error,
    });
  }
  if (!isObject(value) || typeof value['format'] !== 'number' || !isObject(value['warehouse']))
    throw new BackupError('This is no backup of Ghostlight: its first file is not a manifest.');
  const manifest = value as unknown as Manifest;
  if (manifest.format > FORMAT)
    throw new BackupError(
      `This backup was made by Ghostlight ${manifest.version} in format ${manifest.format}; this is ${version}, which reads up to format ${FORMAT}. Install ${manifest.version} or a later version, then run this again.`,
    );
  return manifest;
}

/** What this program knows of the stores' own versions. */
export interface KnownVersions {
  readonly version: string;
  /** Of the state database, oldest first. */
  readonly migrations: readonly string[];
  /** Newest step of the warehouse's schema. */
  readonly schema: number;
  /** Newest format of the spool's files, or of its tables. */
  readonly spool: Readonly<Record<SpoolKind, number>>;
}

/** @throws BackupError when a newer program wrote what is in it */
export function checkVersions({ version, state, warehouse, spools }: Manifest, known: KnownVersions): void {
  const newer =
    (!known.migrations.includes(state.migration) &&
      `its state database has the migration ${state.migration}`) ||
    (warehouse.schema > known.schema && `its warehouse has the schema step ${warehouse.schema}`) ||
    (spools.format > known.spool[spools.kind] && `its spool has the format ${spools.format}`);
  if (newer !== false)
    throw new BackupError(
      `This backup was made by Ghostlight ${version}, and this is ${known.version}, which is older: ${newer}. Install ${version} or a later version, then run this again.`,
    );
}

/** What of the installation decides whether a backup fits it. */
export interface TargetKinds {
  readonly state: StateKind;
  readonly warehouse: WarehouseKind;
  readonly spools: SpoolKind;
}

/** Other nodes may share the state, and each has a spool of its own. */
export const hasSpoolsElsewhere = ({ state, spools }: TargetKinds): boolean =>
  state === 'server' && spools === 'file';

const PLACES = {
  state: { file: 'SQLite in the data directory', server: 'PostgreSQL' },
  warehouse: { embedded: 'the embedded engine', server: 'a ClickHouse server' },
  spools: { file: 'files in the data directory', server: 'PostgreSQL' },
} as const;
const SETTING = { state: 'DATABASE_URL', warehouse: 'CLICKHOUSE_URL', spools: 'SPOOL' } as const;
const WHAT = { state: 'state database', warehouse: 'warehouse', spools: 'spool' } as const;

/** @throws BackupError that names the setting to change */
export function checkKinds(manifest: Manifest, target: TargetKinds): void {
  for (const part of ['state', 'warehouse', 'spools'] as const) {
    const { kind } = manifest[part];
    if (kind === target[part]) continue;
    const places: Readonly<Record<string, string>> = PLACES[part];
    throw new BackupError(
      `The ${WHAT[part]} of this backup is in ${places[kind]}, and ${SETTING[part]} names ${places[target[part]]}. Change ${SETTING[part]} to what the backup was made with, restore, and then move the data with "ghostlight move".`,
    );
  }
}
