/** What the routes of the room share. */
import { problemResponse } from '../common/index.ts';

export { body, idParam, json, narrowing } from '../common/index.ts';
export { type FindProperty, propertyFinder } from '../properties/index.ts';

export const PATH = '/properties/{id}/webmcp';
export const tags = ['webmcp'];

export const absent = problemResponse('No such property');
export const refused = problemResponse('Not accepted; every place is named');
