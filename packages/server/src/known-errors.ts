/** Errors that an operator can fix, which are printed as a sentence. Loaded only after a failure, because it imports every room. */

import { CommandError } from './cli/command.ts';
import { startSentence } from './common/index.ts';
import { StoreUnreachable } from './composition/stores.ts';
import { ConfigError } from './config.ts';
import { DecryptError } from './database/index.ts';
import { SpoolOpenError } from './spool/index.ts';
import { EmbeddedEngineError, SchemaTooNew, WarehouseMisconfigured } from './warehouse/index.ts';

const KNOWN = [
  ConfigError,
  CommandError,
  DecryptError,
  EmbeddedEngineError,
  StoreUnreachable,
  SpoolOpenError,
  SchemaTooNew,
  WarehouseMisconfigured,
];

/** @returns null: a fault of ours, to be shown with its stack */
export function sentenceFor(error: unknown): string | null {
  if (error instanceof Error && KNOWN.some((kind) => error instanceof kind)) return error.message;
  return startSentence(error);
}
