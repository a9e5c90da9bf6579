/** The warehouse as it is at the cut, until its files are in the backup. */
import { freezeTables, thaw, type Warehouse } from '../warehouse/index.ts';
import type { ArchiveFile } from './archive-worker.ts';
import type { Manifest } from './manifest.ts';

export interface WarehouseHold {
  describe(): Promise<Omit<Manifest['warehouse'], 'kind'> & { readonly files: readonly ArchiveFile[] }>;
  release(): Promise<void>;
}

/** @param directory of the embedded store */
export async function holdWarehouse(warehouse: Warehouse, directory: string): Promise<WarehouseHold> {
  const frozen = await freezeTables(warehouse, directory).catch(async (error: unknown) => {
    await thaw(directory);
    throw error;
  });
  return {
    async describe() {
      const { schema, database, tables, files } = await frozen.describe();
      return {
        ...{ schema, database, tables, stored_at: null },
        files: files.map((file) => ({ ...file, name: `warehouse/${file.name}` })),
      };
    },
    release: () => thaw(directory),
  };
}
