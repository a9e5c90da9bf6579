import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type OwnOrganization, peopleApi } from '../../features/people/api.ts';
import { useWhere } from '../../features/people/search.ts';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';

export function DeleteOrganization({ organization }: { organization: OwnOrganization }) {
  const where = useWhere();
  const [asking, setAsking] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => peopleApi.remove(where, organization.name),
    // The session may have ended with the organization: everything is read again.
    onSuccess: () => window.location.assign('/'),
  });
  return (
    <>
      <button type="button" className="button button-bad" onClick={() => setAsking(true)}>
        Delete<span className="visually-hidden"> this organization</span>
      </button>
      {asking && (
        <ConfirmDialog
          title={`Delete “${organization.name}”?`}
          word={organization.name}
          action="Delete organization"
          pending={isPending}
          error={error}
          onConfirm={() => mutate()}
          onClose={() => setAsking(false)}
        >
          <p>
            All its properties are deleted with everything in them, and so are its members, tokens and audit
            log. Accounts of people who belong to no other organization are deleted too. This can’t be undone.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
