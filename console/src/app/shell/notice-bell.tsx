import NotificationsNoneRounded from '@mui/icons-material/NotificationsNoneRounded';
import IconButton from '@mui/material/IconButton';
import { useTranslation } from 'react-i18next';
import { useStored } from '../../shared/browser/use-stored';
import { storedNotices } from '../../shared/session/notice-history';

/** Opens the notices of this browser; absent while there are none. */
export function NoticeBell({ onOpen }: { onOpen: () => void }) {
  const { t } = useTranslation();
  if (useStored(storedNotices).length === 0) return null;
  return (
    <IconButton
      size="small"
      title={t('shell.notices')}
      aria-label={t('shell.notices')}
      aria-haspopup="dialog"
      onClick={onOpen}
    >
      <NotificationsNoneRounded fontSize="small" />
    </IconButton>
  );
}
