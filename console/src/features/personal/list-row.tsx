import Box from '@mui/material/Box';
import type { ReactNode } from 'react';

/** One thing of a list in a section: a line between it and the one above. */
export function ListRow({ gap = 1.5, children }: { gap?: number; children: ReactNode }) {
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        gap,
        alignItems: 'center',
        py: 1,
        borderTop: 1,
        borderColor: 'divider',
        '&:first-of-type': { borderTop: 0, pt: 0 },
      }}
    >
      {children}
    </Box>
  );
}
