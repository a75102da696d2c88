import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyDialog } from '../../shared/feedback/lazy-dialog';
import { isRoot, useCurrentUser } from '../../api/current-user';
import type { AdminOrder } from './api';
import { actionsOn, type OrderAction } from './order-rules';

const CompleteDialog = lazyDialog(
  async () => (await import('./reason-dialog')).CompleteDialog,
  ({ open }) => open,
);
const ReassignDialog = lazyDialog(
  async () => (await import('./reassign-dialog')).ReassignDialog,
  ({ open }) => open,
);
const RefundDialog = lazyDialog(
  async () => (await import('./reason-dialog')).RefundDialog,
  ({ open }) => open,
);

const DIALOGS = { complete: CompleteDialog, reassign: ReassignDialog, refund: RefundDialog } as const;

/** Actions open to the reader for an order that was not credited. */
export function OrderActions({ order }: { order: AdminOrder }) {
  const { t } = useTranslation();
  const root = isRoot(useCurrentUser());
  const [opened, setOpened] = useState<OrderAction | null>(null);
  return actionsOn(order, root).map((action) => {
    const Dialog = DIALOGS[action];
    return (
      <Box key={action} sx={{ borderTop: 1, borderColor: 'divider', pt: 2 }}>
        <Typography variant="body2" color="textSecondary" sx={{ mb: 1.5 }}>
          {t(`orders.${action}.when`)}
        </Typography>
        <Button variant="outlined" onClick={() => setOpened(action)}>
          {t(`orders.${action}.open`)}
        </Button>
        <Dialog order={order} open={opened === action} onClose={() => setOpened(null)} />
      </Box>
    );
  });
}
