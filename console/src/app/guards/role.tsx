import { Outlet } from 'react-router';
import { useCurrentUser } from '../../shared/session/current-user';
import { NotFoundPage } from '../not-found-page';

/** Pages below a minimum role do not exist for others. The server decides; this only spares a pointless visit. */
export function RequiresRole({ atLeast }: { atLeast: number }) {
  const user = useCurrentUser();
  return user !== null && user.role >= atLeast ? <Outlet /> : <NotFoundPage />;
}
