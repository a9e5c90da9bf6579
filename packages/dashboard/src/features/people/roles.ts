import type { Role } from '../../api/types.ts';

export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  owner: 'Owner',
  admin: 'Admin',
  viewer: 'Viewer',
};

export const ROLE_ABOUT: Readonly<Record<Role, string>> = {
  owner: 'Everything, and who else comes in',
  admin: 'Sets up properties, keys, destinations',
  viewer: 'Sees everything, changes nothing',
};
