/** Properties: create, list, change, delete; and whose an attribution ID is. */

export { normalizeDomain } from './domain.ts';
export { type FindProperty, propertyFinder } from './finder.ts';
export {
  createProperties,
  type Owner,
  type Properties,
  type Property,
  type PropertyChanges,
  type PropertyDirectory,
  type PropertyFields,
  type QuotaState,
  type Recounting,
} from './properties.ts';
