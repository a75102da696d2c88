import { Navigate, Outlet, useLocation } from 'react-router';
import { useCurrentUser } from '../../api/current-user';

/** Console pages are for people who are signed in; the way back is remembered. */
export function SignedIn() {
  const user = useCurrentUser();
  const location = useLocation();
  if (user !== null) return <Outlet />;
  const query = new URLSearchParams(location.search);
  const expired = sessionStorage.getItem('expired') === 'true' || query.get('expired') === 'true';
  query.delete('expired');
  const back = location.pathname + (query.size === 0 ? '' : `?${query}`);
  return <Navigate to={expired ? '/login?expired=true' : '/login'} replace state={{ back }} />;
}
