import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useSystemName } from '../session/status';

interface PageHeaderProps {
  title: string;
  /** One sentence, where it helps. */
  explanation?: string;
  /** Primary action, at the right. */
  action?: ReactNode;
}

/** Title of a page, in the page and in the browser's tab. */
export function PageHeader({ title, explanation, action }: PageHeaderProps) {
  const systemName = useSystemName();
  return (
    <Box
      component="header"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'flex-start',
        gap: 1.5,
        justifyContent: 'space-between',
        mb: 2.5,
      }}
    >
      <title>{`${title} · ${systemName}`}</title>
      <Box sx={{ minWidth: 0, flex: '1 1 280px' }}>
        <Typography variant="h1">{title}</Typography>
        {explanation !== undefined && (
          <Typography variant="body2" color="textSecondary" sx={{ mt: 0.25, maxWidth: 720 }}>
            {explanation}
          </Typography>
        )}
      </Box>
      {action !== undefined && <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap' }}>{action}</Box>}
    </Box>
  );
}
