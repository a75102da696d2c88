import { useParams } from 'react-router';
import { lazyDialog } from '../../shared/feedback/lazy-dialog';

const ChannelDrawer = lazyDialog(
  async () => (await import('./channel-drawer')).ChannelDrawer,
  () => true,
);

/** /channel/add */
export function AddChannelRoute() {
  return <ChannelDrawer edited="new" />;
}

/** /channel/edit/{id} */
export function EditChannelRoute() {
  return <ChannelDrawer edited={Number(useParams()['id'])} />;
}
