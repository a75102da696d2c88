import ExpandMoreRounded from '@mui/icons-material/ExpandMoreRounded';
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';

/** A part of the settings few need; its heading opens it. */
export function Folded({
  title,
  isOpen = false,
  children,
}: {
  title: string;
  isOpen?: boolean;
  children: ReactNode;
}) {
  return (
    <Box
      component="details"
      open={isOpen}
      sx={{ '&[open] > summary svg': { transform: 'rotate(180deg)' }, minWidth: 0 }}
    >
      <Box
        component="summary"
        sx={{
          cursor: 'pointer',
          listStyle: 'none',
          display: 'flex',
          justifyContent: 'space-between',
          alignItems: 'center',
          fontSize: 13,
          fontWeight: 550,
          minHeight: 28,
          '&::-webkit-details-marker': { display: 'none' },
        }}
      >
        {title}
        <ExpandMoreRounded sx={{ fontSize: 20, color: 'text.secondary' }} />
      </Box>
      <Box sx={{ display: 'grid', gap: 1.75, pt: 1.25 }}>{children}</Box>
    </Box>
  );
}
