import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { Fragment, type ReactNode } from 'react';

type Fact = readonly [label: string, value: ReactNode];

/** Names and values, two columns; entries that are false are left out. */
export function Facts({ facts }: { facts: readonly (Fact | false)[] }) {
  return (
    <Box
      component="dl"
      sx={{
        m: 0,
        display: 'grid',
        gridTemplateColumns: 'minmax(96px, max-content) 1fr',
        columnGap: 3,
        rowGap: 0.75,
        fontSize: 13,
      }}
    >
      {facts.map(
        (fact) =>
          fact !== false && (
            <Fragment key={fact[0]}>
              <Typography component="dt" variant="body2" color="textSecondary">
                {fact[0]}
              </Typography>
              <Box component="dd" sx={{ m: 0, minWidth: 0, overflowWrap: 'anywhere' }}>
                {fact[1]}
              </Box>
            </Fragment>
          ),
      )}
    </Box>
  );
}
