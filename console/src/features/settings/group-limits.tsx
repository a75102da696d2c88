import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { ReadingDrawer } from '../../shared/dialog/reading-drawer';
import { LimitsPart } from '../../shared/limits/limits-part';

const SCOPES = ['group', 'call_group'] as const;

/** Limits of a group: of its accounts together, and of the calls that run in it. */
export function GroupLimits({ group, onClose }: { group: string; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <ReadingDrawer open title={t('prices.groups.limitsOf', { name: group })} onClose={onClose}>
      <Box sx={{ p: 3, display: 'grid', gap: 3 }}>
        {SCOPES.map((scope) => (
          <LimitsPart
            key={scope}
            target={{ scope, subject: group, name: group }}
            title={t(`limits.target.${scope}`, { name: group })}
          />
        ))}
      </Box>
    </ReadingDrawer>
  );
}
