import { lazyDialog } from './lazy-dialog';
import { useToasts } from './toast';

const ToastList = lazyDialog<{ isNeeded: boolean }>(
  async () => (await import('./toast-list')).ToastList,
  ({ isNeeded }) => isNeeded,
);

/** Draws the toasts; mounted once by the providers. */
export function Toasts() {
  return <ToastList isNeeded={useToasts().length > 0} />;
}
