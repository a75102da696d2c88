import type { ReactNode } from 'react';
import ChevronLeftRounded from '@mui/icons-material/ChevronLeftRounded';
import ChevronRightRounded from '@mui/icons-material/ChevronRightRounded';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import { useTranslation } from 'react-i18next';
import type { Lane } from '../chat/lane';
import { versionsOf } from '../chat/versions';

/** Goes through the versions of a message, where there are several. */
export function VersionSwitch({ lane, id, isIdle }: { lane: Lane; id: string; isIdle: boolean }) {
  const { t } = useTranslation();
  const versions = isIdle ? versionsOf(lane.versions(), id) : [];
  if (versions.length < 2) return null;
  const index = versions.indexOf(id);
  const step = (by: number, label: string, icon: ReactNode) => {
    const next = versions[index + by];
    return (
      <IconButton
        size="small"
        aria-label={label}
        disabled={next === undefined}
        onClick={() => next !== undefined && lane.show(next)}
      >
        {icon}
      </IconButton>
    );
  };
  return (
    <Box sx={{ display: 'inline-flex', alignItems: 'center', fontSize: 12.5 }}>
      {step(-1, t('playground.earlierVersion'), <ChevronLeftRounded sx={{ fontSize: 18 }} />)}
      <span aria-label={t('playground.version', { number: index + 1, count: versions.length })} role="img">
        {index + 1}/{versions.length}
      </span>
      {step(1, t('playground.laterVersion'), <ChevronRightRounded sx={{ fontSize: 18 }} />)}
    </Box>
  );
}
