import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { RichText } from '../../shared/page/rich-text';
import { useStatus, useSystemName } from '../../shared/session/status';

/** The operator's own footer, or one quiet line. */
export function Footer() {
  const { t } = useTranslation();
  const status = useStatus();
  const name = useSystemName();
  const html = status?.footer_html ?? '';
  const version = status?.version ?? '';
  return (
    <Box
      component="footer"
      sx={{
        py: 2,
        px: 3,
        textAlign: 'center',
        color: 'text.secondary',
        fontSize: 12.5,
        // Hidden while the page loads: the content that arrives would push it down.
        'main:has(.MuiSkeleton-root, [role=status][aria-busy=true]) + &': { visibility: 'hidden' },
      }}
    >
      {html === '' ? <span>{t('shell.footer', { name, version })}</span> : <RichText text={html} />}
    </Box>
  );
}
