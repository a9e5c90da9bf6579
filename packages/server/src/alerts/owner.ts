/** Whose rows a function reads or writes: the caller has got the property for its scope. */
import type { Property } from '../properties/index.ts';

export type Owner = Pick<Property, 'id' | 'organizationId'>;
