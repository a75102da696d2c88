import Box, { type BoxProps } from '@mui/material/Box';

interface LoadingBarProps extends Pick<BoxProps, 'sx'> {
  /** Without one it is for the eye alone: what it stands above says that it is busy. */
  label?: string;
}

/** A thin line that runs while something is fetched. */
export function LoadingBar({ label, sx = {} }: LoadingBarProps) {
  const said = label === undefined ? { 'aria-hidden': true } : { role: 'progressbar', 'aria-label': label };
  return <Box {...said} sx={[BAR, ...(Array.isArray(sx) ? sx : [sx])]} />;
}

const BAR = {
  height: 2,
  overflow: 'hidden',
  bgcolor: 'soft.accent',
  '&::after': {
    content: '""',
    display: 'block',
    height: '100%',
    width: '35%',
    bgcolor: 'primary.main',
    animation: 'loading-bar 1.4s ease-in-out infinite',
  },
  '@keyframes loading-bar': {
    from: { transform: 'translateX(-100%)' },
    to: { transform: 'translateX(290%)' },
  },
};
