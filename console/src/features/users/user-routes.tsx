import { useNavigate, useParams } from 'react-router';
import { lazyDialog } from '../../shared/feedback/lazy-dialog';

const UserDrawer = lazyDialog(
  async () => (await import('./user-drawer')).UserDrawer,
  () => true,
);

/** /user/edit/{id} */
export function EditUserRoute() {
  const navigate = useNavigate();
  return (
    <UserDrawer
      edited={Number(useParams()['id'])}
      onClose={() => void navigate({ pathname: '/user', search: window.location.search })}
    />
  );
}
