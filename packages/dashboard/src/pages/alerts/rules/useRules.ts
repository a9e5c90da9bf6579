import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import { alertsApi, alertsQueries } from '../api.ts';
import type { RulesChange } from '../types.ts';

/** Changes the property's rules and says so. @param said what a screen reader hears once it is done */
export function useRules(propertyId: string, said: string, onDone?: () => void) {
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: (change: RulesChange) => alertsApi.changeRules(propertyId, change),
    onSuccess: (rules) => {
      queryClient.setQueryData(alertsQueries.rules(propertyId).queryKey, rules);
      announce(said);
      onDone?.();
    },
  });
}
