import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { storedInviteCode } from '../../shared/browser/stored';

/** Keeps the invite code of an invite link (`?aff=`) until an account is made. */
export function useInviteCode(): void {
  const [search] = useSearchParams();
  const inviteCode = search.get('aff');
  useEffect(() => {
    if (inviteCode !== null) storedInviteCode.write(inviteCode.slice(0, 32));
  }, [inviteCode]);
}
