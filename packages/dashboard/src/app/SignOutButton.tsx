import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../api/client.ts';
import { IconSignOut } from '../parts/icons.tsx';

export function SignOutButton() {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: api.signOut,
    onSettled: async () => {
      await navigate({ to: '/sign-in' });
      queryClient.clear();
    },
  });
  return (
    <button type="button" className="rail-link" onClick={() => mutate()} disabled={isPending}>
      <IconSignOut />
      <span>Sign out</span>
    </button>
  );
}
