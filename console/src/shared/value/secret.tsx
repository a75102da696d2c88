import VisibilityOffRounded from '@mui/icons-material/VisibilityOffRounded';
import VisibilityRounded from '@mui/icons-material/VisibilityRounded';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Tip } from '../feedback/tip';
import { MONO } from '../format/mono';
import { CopyButton } from './copyable';

interface SecretProps {
  value: string;
  /** Kind of the secret, for the names of its buttons. */
  name: string;
}

/** Prefix that is long enough to distinguish it. */
export const maskSecret = (value: string): string => `${value.slice(0, 5)}${'•'.repeat(8)}${value.slice(-4)}`;

/** A secret: masked, with reveal and copy as two acts. */
export function Secret({ value, name }: SecretProps) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(false);
  const masked = maskSecret(value);
  const revealLabel = shown ? t('common.hideNamed', { name }) : t('common.revealNamed', { name });
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.25, maxWidth: '100%' }}>
      <Box
        component="span"
        sx={{
          fontFamily: MONO,
          fontSize: 12.5,
          overflow: 'hidden',
          textOverflow: 'ellipsis',
          whiteSpace: 'nowrap',
        }}
      >
        {shown ? value : masked}
      </Box>
      <Tip title={revealLabel}>
        <IconButton
          size="small"
          aria-label={revealLabel}
          aria-pressed={shown}
          onClick={(event) => {
            event.stopPropagation();
            setShown(!shown);
          }}
        >
          {shown ? (
            <VisibilityOffRounded sx={{ fontSize: 17 }} />
          ) : (
            <VisibilityRounded sx={{ fontSize: 17 }} />
          )}
        </IconButton>
      </Tip>
      <CopyButton text={value} label={t('common.copyNamed', { name })} />
    </Box>
  );
}
