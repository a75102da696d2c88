import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { ReadingDrawer } from '../../shared/dialog/reading-drawer';
import { LimitsPart } from '../../shared/limits/limits-part';
import type { Token } from './api';

/** Limits of one token, with their use. */
export function TokenLimits({ token, onClose }: { token: Token; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <ReadingDrawer open title={t('tokens.limitsOf', { name: token.name })} onClose={onClose}>
      <Box sx={{ p: 3 }}>
        <LimitsPart target={{ scope: 'token', subject: String(token.id), name: token.name }} isOwn />
      </Box>
    </ReadingDrawer>
  );
}
