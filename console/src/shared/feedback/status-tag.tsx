import Box from '@mui/material/Box';
import { Tip } from './tip';
import type { ReactNode } from 'react';

/** The four meanings, plus neutral and accent for labels that mean nothing good or bad. */
export type Tone = 'ok' | 'notice' | 'warning' | 'fault' | 'neutral' | 'accent';

const INK: Record<Tone, string> = {
  ok: 'success.main',
  notice: 'info.main',
  warning: 'warning.main',
  fault: 'error.main',
  neutral: 'text.secondary',
  accent: 'primary.main',
};

interface StatusTagProps {
  tone: Tone;
  icon?: ReactNode;
  children: ReactNode;
  /** Reason or detail, shown on hover and focus. */
  tooltip?: ReactNode;
}

/** A word with its icon on a tinted ground; the colour never stands alone. */
export function StatusTag({ tone, icon, children, tooltip }: StatusTagProps) {
  const tag = (
    <Box
      component="span"
      tabIndex={tooltip === undefined ? undefined : 0}
      sx={{
        display: 'inline-flex',
        alignItems: 'center',
        gap: 0.5,
        px: 0.875,
        height: 22,
        borderRadius: '6px',
        bgcolor: `soft.${tone}`,
        color: INK[tone],
        fontSize: 12.5,
        fontWeight: 550,
        whiteSpace: 'nowrap',
        maxWidth: '100%',
        '& > svg': { fontSize: 14, flexShrink: 0 },
      }}
    >
      {icon}
      <Box component="span" sx={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
        {children}
      </Box>
    </Box>
  );
  return tooltip === undefined ? tag : <Tip title={tooltip}>{tag}</Tip>;
}
