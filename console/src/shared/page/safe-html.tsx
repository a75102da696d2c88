import Box from '@mui/material/Box';
import { useMemo } from 'react';
import { cleanHtml } from './clean-html';

/** Operator-written HTML with everything that could act taken out. */
export function SafeHtml({ html }: { html: string }) {
  const clean = useMemo(() => cleanHtml(html), [html]);
  return (
    <Box
      sx={{
        '& a': { color: 'primary.main' },
        '& img': { maxWidth: '100%' },
        '& table': { borderCollapse: 'collapse', my: 1 },
        '& th, & td': { border: 1, borderColor: 'divider', px: 1, py: 0.5, textAlign: 'left' },
        '& pre': { overflowX: 'auto', p: 1.5, borderRadius: '8px', bgcolor: 'soft.neutral' },
      }}
      dangerouslySetInnerHTML={{ __html: clean }}
    />
  );
}
