import Alert from '@mui/material/Alert';
import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';

const subscribe = (onChange: () => void) => onlineManager.subscribe(onChange);
const isOnline = () => onlineManager.isOnline();

/** Without a network, reads wait until it is back: shown data may be old, and new pages stay empty. */
export function OfflineBar() {
  const { t } = useTranslation();
  if (useSyncExternalStore(subscribe, isOnline)) return null;
  return (
    <Alert severity="warning" role="status" sx={{ borderRadius: 0, py: 0 }}>
      {t('shell.offline')}
    </Alert>
  );
}
