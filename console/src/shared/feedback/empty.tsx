import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useSystemName } from '../session/status';

interface EmptyProps {
  title: string;
  /** Action for the reader. */
  explanation?: string;
  action?: ReactNode;
  icon?: ReactNode;
  /** Nothing else is on the page: the title is its heading, and stands in the browser's tab. */
  isPage?: boolean;
}

/** Nothing here, why, and the next step. */
export function Empty({ title, explanation, action, icon, isPage = false }: EmptyProps) {
  return (
    <Box sx={{ py: 7, px: 3, textAlign: 'center', display: 'grid', justifyItems: 'center', gap: 1 }}>
      {icon !== undefined && (
        <Box
          aria-hidden
          sx={{
            width: 44,
            height: 44,
            borderRadius: '12px',
            display: 'grid',
            placeItems: 'center',
            bgcolor: 'soft.accent',
            color: 'primary.main',
            mb: 0.5,
          }}
        >
          {icon}
        </Box>
      )}
      {isPage && <PageTitle title={title} />}
      <Typography variant="h3" component={isPage ? 'h1' : 'p'}>
        {title}
      </Typography>
      {explanation !== undefined && (
        <Typography variant="body2" color="textSecondary" sx={{ maxWidth: 420, textWrap: 'balance' }}>
          {explanation}
        </Typography>
      )}
      {action !== undefined && <Box sx={{ mt: 1 }}>{action}</Box>}
    </Box>
  );
}

function PageTitle({ title }: { title: string }) {
  const systemName = useSystemName();
  return <title>{`${title} · ${systemName}`}</title>;
}
