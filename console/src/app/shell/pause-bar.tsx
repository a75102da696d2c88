import Alert from '@mui/material/Alert';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { endPause, pauseStore } from '../../shared/feedback/pause';

/** Too many requests came from here: what is shown may be older, and when the page asks again. */
export function PauseBar() {
  const untilMs = useSyncExternalStore(pauseStore.subscribe, pauseStore.read);
  return untilMs === 0 ? null : <Bar untilMs={untilMs} />;
}

function Bar({ untilMs }: { readonly untilMs: number }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => {
      setNowMs(Date.now());
      if (Date.now() < untilMs) return;
      endPause();
      void client.invalidateQueries({ predicate: ({ meta }) => meta?.isPageRead === true });
    }, 1000);
    return () => clearInterval(timer);
  }, [untilMs, client]);
  return (
    <Alert
      severity="warning"
      role="status"
      aria-live="off"
      sx={{ borderRadius: 0, py: 0, '& .MuiAlert-message': { minWidth: 0, overflowWrap: 'anywhere' } }}
    >
      {t('shell.pause', { count: Math.max(1, Math.ceil((untilMs - nowMs) / 1000)) })}
    </Alert>
  );
}
