import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { storedDismissedNotice } from '../../shared/browser/stored';
import { useStored } from '../../shared/browser/use-stored';
import { noticeQuery } from '../../shared/session/notice';
import { noticeLine, rememberNotice } from '../../shared/session/notice-history';

/** The operator's notice as one line, until it is closed or read, and again when it has changed. */
export function Notice({ onRead }: { onRead: () => void }) {
  const { t } = useTranslation();
  const text = useQuery(noticeQuery).data?.trim() ?? '';
  const seen = useStored(storedDismissedNotice);
  useEffect(() => {
    if (text !== '') rememberNotice(text);
  }, [text]);
  if (text === '' || text === seen) return null;
  const dismiss = () => storedDismissedNotice.write(text);
  return (
    <Alert
      severity="info"
      role="status"
      aria-label={t('shell.notice')}
      closeText={t('shell.closeNotice')}
      onClose={dismiss}
      sx={{
        borderRadius: 0,
        py: 0,
        alignItems: 'center',
        '& .MuiAlert-message': { minWidth: 0, flex: 1 },
        '& .MuiAlert-action': { pt: 0 },
      }}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, minWidth: 0 }}>
        <Box
          component="span"
          sx={{ minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}
        >
          {noticeLine(text)}
        </Box>
        <Button
          size="small"
          color="inherit"
          onClick={() => {
            dismiss();
            onRead();
          }}
          sx={{ flex: 'none', textDecoration: 'underline' }}
        >
          {t('shell.readNotice')}
        </Button>
      </Box>
    </Alert>
  );
}
