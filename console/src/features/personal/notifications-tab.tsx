import Box from '@mui/material/Box';
import type { Self } from '../../shared/session/self';
import { NotificationForm } from './notification-form';
import { WeeklyEmailSection } from './weekly-email-section';

/** Notices of the account, and its weekly summary. */
export function NotificationsTab({ self }: { self: Self }) {
  return (
    <Box sx={{ display: 'grid', gap: 2, '& > *': { minWidth: 0 } }}>
      <NotificationForm self={self} />
      <WeeklyEmailSection />
    </Box>
  );
}
