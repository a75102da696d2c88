import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useId, type ReactNode } from 'react';

interface SectionProps {
  title?: string;
  explanation?: string;
  action?: ReactNode;
  children: ReactNode;
  /** Tables and lists bring their own edges. */
  flush?: boolean;
}

/** A bordered part of a page. */
export function Section({ title, explanation, action, children, flush = false }: SectionProps) {
  const id = useId();
  return (
    <Paper
      variant="outlined"
      component="section"
      aria-labelledby={title === undefined ? undefined : id}
      sx={{ overflow: 'hidden', minWidth: 0 }}
    >
      {title !== undefined && (
        <Box
          sx={{
            display: 'flex',
            flexWrap: { xs: explanation === undefined ? 'nowrap' : 'wrap', sm: 'nowrap' },
            gap: { xs: 1, sm: 2 },
            alignItems: 'flex-start',
            px: 2.5,
            pt: 2,
            pb: flush ? 1.5 : 0,
          }}
        >
          <Box sx={{ flex: explanation === undefined ? 1 : { xs: '1 1 100%', sm: 1 }, minWidth: 0 }}>
            <Typography id={id} variant="h2">
              {title}
            </Typography>
            {explanation !== undefined && (
              <Typography variant="body2" color="textSecondary" sx={{ maxWidth: 720 }}>
                {explanation}
              </Typography>
            )}
          </Box>
          {action}
        </Box>
      )}
      <Box sx={flush ? undefined : { p: 2.5, pt: title === undefined ? 2.5 : 1.75 }}>{children}</Box>
    </Paper>
  );
}
