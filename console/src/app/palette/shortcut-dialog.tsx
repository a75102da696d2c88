import Dialog from '@mui/material/Dialog';
import { useTranslation } from 'react-i18next';
import { ShortcutList } from './shortcut-list';

interface ShortcutDialogProps {
  open: boolean;
  onClose: () => void;
}

export function ShortcutDialog({ open, onClose }: ShortcutDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      slotProps={{ paper: { 'aria-label': t('palette.shortcuts.title') } }}
      fullWidth
      maxWidth="xs"
    >
      <ShortcutList />
    </Dialog>
  );
}
