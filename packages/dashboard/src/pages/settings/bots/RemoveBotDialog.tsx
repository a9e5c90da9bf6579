import { useMutation, useQueryClient } from '@tanstack/react-query';
import { queries } from '../../../api/queries.ts';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import { ConfirmDialog } from '../../../parts/ConfirmDialog.tsx';
import { type CustomBot, customBotsApi } from './api.ts';

export function RemoveBotDialog({ bot, onClose }: { bot: CustomBot; onClose: () => void }) {
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => customBotsApi.remove(bot.token),
    onSuccess: async () => {
      // The bots of the installation are a part of the lists: both are asked for again.
      await queryClient.invalidateQueries(queries.lists());
      announce(`Removed ${bot.name}`);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={`Remove “${bot.name}”?`}
      word={bot.token}
      action="Remove bot"
      pending={isPending}
      error={error}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      <p>
        Visits of this bot are no longer recognised, in any property of this installation. Visits that are
        stored stay in the reports.
      </p>
    </ConfirmDialog>
  );
}
