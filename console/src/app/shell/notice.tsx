import Alert from '@mui/material/Alert';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../api/client';
import { storedDismissedNotice } from '../../shared/browser/stored';
import { useStored } from '../../shared/browser/use-stored';
import { RichText } from '../../shared/page/rich-text';

const noticeQuery = queryOptions({
  queryKey: ['notice', 'one'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/notice', { signal })),
  staleTime: 60_000,
  meta: { isPageRead: true },
});

/** What the operator has to say to everybody, once: until it is closed, and again when it has changed. */
export function Notice() {
  const { t } = useTranslation();
  const text = useQuery(noticeQuery).data?.trim() ?? '';
  const seen = useStored(storedDismissedNotice);
  if (text === '' || text === seen) return null;
  return (
    <Alert
      severity="info"
      role="status"
      aria-label={t('shell.notice')}
      closeText={t('shell.closeNotice')}
      onClose={() => storedDismissedNotice.write(text)}
      sx={{ borderRadius: 0, '& .MuiAlert-message': { minWidth: 0, overflowWrap: 'anywhere' } }}
    >
      <RichText text={text} />
    </Alert>
  );
}
