import { useSuspenseQuery } from '@tanstack/react-query';
import { queries } from '../../api/queries.ts';
import type { Session } from '../../api/types.ts';
import { may, type Permission } from './may.ts';

/** Who is signed in. Used below the routes that have seen to it that somebody is. */
export function useSession(): Session {
  return useSuspenseQuery(queries.session()).data;
}

export function useMay(permission: Permission): boolean {
  return may(useSession(), permission);
}
