import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';

/** A part of a long form. */
export function FormSection({
  title,
  explanation,
  children,
}: {
  title: string;
  explanation?: string;
  children: ReactNode;
}) {
  return (
    <Box component="fieldset" sx={{ border: 0, m: 0, p: 0, minWidth: 0, display: 'grid', gap: 2 }}>
      <Box component="legend" sx={{ p: 0, pt: 1, mb: 0.5, width: '100%' }}>
        <Typography variant="h3" component="span" sx={{ display: 'block' }}>
          {title}
        </Typography>
        {explanation !== undefined && (
          <Typography variant="body2" color="textSecondary" component="span" sx={{ display: 'block' }}>
            {explanation}
          </Typography>
        )}
      </Box>
      {children}
    </Box>
  );
}
