import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { Link } from 'react-router';
import { useStatus, useSystemName } from '../session/status';
import { basePath } from '../browser/base-path';

/** Logo and name of the instance; a link to the home page. */
export function Mark() {
  const name = useSystemName();
  const logo = useStatus()?.logo ?? '';
  /** The address whose image failed to load. */
  const [broken, setBroken] = useState('');
  return (
    <Box
      component={Link}
      to="/"
      aria-label={name}
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1,
        color: 'text.primary',
        textDecoration: 'none',
        minWidth: 0,
      }}
    >
      <Box
        component="img"
        src={logo === '' || logo === broken ? `${basePath()}/mark.svg` : logo}
        onError={() => setBroken(logo)}
        alt=""
        sx={{ width: 26, height: 26, borderRadius: '7px' }}
      />
      <Typography
        component="span"
        sx={{
          fontWeight: 650,
          fontSize: 15,
          letterSpacing: '-0.01em',
          display: { xs: 'none', sm: 'block' },
          maxWidth: 220,
          overflow: 'hidden',
          textOverflow: 'ellipsis',
          whiteSpace: 'nowrap',
        }}
      >
        {name}
      </Typography>
    </Box>
  );
}
