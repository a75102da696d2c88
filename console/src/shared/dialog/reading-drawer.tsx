import CloseRounded from '@mui/icons-material/CloseRounded';
import Box from '@mui/material/Box';
import Drawer from '@mui/material/Drawer';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface ReadingDrawerProps {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  /** In pixels, where the window has room for it. */
  width?: number;
  /** Content to read; it brings its own padding. */
  children: ReactNode;
}

/** A drawer at the side in which one row of a table is read in full: a title, a cross, and content that scrolls. */
export function ReadingDrawer({ open, onClose, title, width = 560, children }: ReadingDrawerProps) {
  const { t } = useTranslation();
  const titleId = useId();
  return (
    <Drawer
      anchor="right"
      open={open}
      onClose={onClose}
      slotProps={{
        paper: {
          role: 'dialog',
          'aria-modal': true,
          'aria-labelledby': titleId,
          sx: { width: { xs: '100%', sm: width }, maxWidth: '100%' },
        },
      }}
    >
      <Box
        sx={{
          display: 'flex',
          gap: 2,
          px: 3,
          py: 2,
          borderBottom: 1,
          borderColor: 'divider',
          alignItems: 'center',
        }}
      >
        <Typography id={titleId} variant="h2" sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
          {title}
        </Typography>
        <IconButton aria-label={t('common.close')} onClick={onClose} size="small" edge="end">
          <CloseRounded />
        </IconButton>
      </Box>
      {children}
    </Drawer>
  );
}
