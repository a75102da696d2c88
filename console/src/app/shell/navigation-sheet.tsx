import Drawer from '@mui/material/Drawer';
import { useTranslation } from 'react-i18next';
import { Sidebar } from './sidebar';

/** The sidebar of a phone, over the page. */
export function NavigationSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Drawer
      open={open}
      onClose={onClose}
      slotProps={{ paper: { sx: { width: 260 }, 'aria-label': t('shell.navigation') } }}
    >
      <Sidebar collapsed={false} onNavigate={onClose} />
    </Drawer>
  );
}
