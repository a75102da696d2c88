import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useSystemName } from '../session/status';

interface SignInPageProps {
  title: string;
  lead?: string;
  wide?: boolean;
  children: ReactNode;
}

/** Pages outside the console: set-up, login, register. */
export function SignInPage({ title, lead, wide = false, children }: SignInPageProps) {
  const systemName = useSystemName();
  return (
    <Box sx={{ width: '100%', maxWidth: wide ? 640 : 400, mx: 'auto', px: 2, pt: { xs: 3, sm: 7 }, pb: 4 }}>
      <title>{title.includes(systemName) ? title : `${title} · ${systemName}`}</title>
      <Box sx={{ mb: 3, textAlign: wide ? 'left' : 'center' }}>
        <Typography variant="h1" sx={{ fontSize: 22 }}>
          {title}
        </Typography>
        {lead !== undefined && (
          <Typography color="textSecondary" sx={{ mt: 0.5 }}>
            {lead}
          </Typography>
        )}
      </Box>
      {children}
    </Box>
  );
}
