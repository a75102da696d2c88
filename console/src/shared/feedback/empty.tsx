import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';

interface EmptyProps {
  title: string;
  /** What the reader can do about it. */
  explanation?: string;
  action?: ReactNode;
  icon?: ReactNode;
}

/** Nothing here, why, and the next step. */
export function Empty({ title, explanation, action, icon }: EmptyProps) {
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
      <Typography variant="h3" component="p">
        {title}
      </Typography>
      {explanation !== undefined && (
        <Typography variant="body2" color="textSecondary" sx={{ maxWidth: 420 }}>
          {explanation}
        </Typography>
      )}
      {action !== undefined && <Box sx={{ mt: 1 }}>{action}</Box>}
    </Box>
  );
}
