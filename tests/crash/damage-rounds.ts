/** Damages the files of killed spools again and again: bits, bytes, whole files. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  faultsOf,
  type Kind,
  killed,
  seeded,
  tried,
} from '../../packages/server/src/spool/file/testing-damage.ts';

/** Flipped bits come first: they are what disks and memory really do. */
const KINDS: readonly Kind[] = ['bit', 'bit', 'bit', 'run', 'sector', 'cut', 'noise', 'gone'];
const ROUNDS_PER_VICTIM = 24;

export interface DamageReport {
  readonly rounds: number;
  /** Rounds in which damage was reported. */
  readonly told: number;
  readonly lostRows: number;
  /** Starts that refused, with a sentence. */
  readonly refused: number;
  readonly faults: readonly string[];
}

export function damageRounds(rounds: number, seed: number): DamageReport {
  const report = { rounds, told: 0, lostRows: 0, refused: 0, faults: [] as string[] };
  let victim = killed(seed);
  const random = seeded(seed);
  for (let round = 0; round < rounds; round += 1) {
    if (round > 0 && round % ROUNDS_PER_VICTIM === 0) {
      rmSync(join(victim.directory, '..'), { recursive: true, force: true });
      victim = killed(seed + round);
    }
    const { done, outcome } = tried(victim, random, KINDS[round % KINDS.length] ?? 'bit');
    if (outcome.damages.length > 0) report.told += 1;
    if (outcome.refused !== null) report.refused += 1;
    else report.lostRows += outcome.missing;
    for (const fault of faultsOf(victim, outcome)) report.faults.push(`round ${round} (${done}): ${fault}`);
  }
  rmSync(join(victim.directory, '..'), { recursive: true, force: true });
  return report;
}
