import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { cleanHtml } from './clean-html';

export interface SafeHtmlProps {
  html: string;
  /** Says below what was taken out: for the person who writes it. */
  showRemoved?: boolean;
  /** False for texts that no operator wrote. */
  withStyles?: boolean;
}

/** HTML of an operator or a model with everything that could act taken out. */
export function SafeHtml({ html, showRemoved = false, withStyles = true }: SafeHtmlProps) {
  const { t } = useTranslation();
  const clean = useMemo(() => cleanHtml(html, { withStyles }), [html, withStyles]);
  return (
    <>
      <Box
        sx={{
          overflowX: 'auto',
          '& a': { color: 'primary.main' },
          '& img': { maxWidth: '100%' },
          '& table': { borderCollapse: 'collapse', my: 1 },
          '& th, & td': { border: 1, borderColor: 'divider', px: 1, py: 0.5, textAlign: 'left' },
          '& pre': { overflowX: 'auto', p: 1.5, borderRadius: '8px', bgcolor: 'soft.neutral' },
        }}
        dangerouslySetInnerHTML={{ __html: clean.html }}
      />
      {showRemoved && clean.removed.length > 0 && (
        <Typography variant="body2" role="status" sx={{ mt: 1, color: 'warning.main' }}>
          {t('common.removed', {
            list: clean.removed.map(([name, times]) => (times === 1 ? name : `${name} ×${times}`)).join(', '),
          })}
        </Typography>
      )}
    </>
  );
}
