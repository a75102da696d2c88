import CloseRounded from '@mui/icons-material/CloseRounded';
import Box from '@mui/material/Box';
import Drawer from '@mui/material/Drawer';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { MONO } from '../../shared/format/mono';
import { formatSeconds } from '../../shared/format/timestamp';
import { CopyableText } from '../../shared/value/copyable';
import { Facts } from '../../shared/value/facts';
import type { AuditEvent } from './api';
import { actorText, auditFacts } from './audit-detail';

interface AuditDrawerProps {
  /** Null = closed. */
  event: AuditEvent | null;
  onClose: () => void;
}

/** One act in full. */
export function AuditDrawer({ event, onClose }: AuditDrawerProps) {
  return (
    <Drawer
      anchor="right"
      open={event !== null}
      onClose={onClose}
      slotProps={{
        paper: {
          role: 'dialog',
          'aria-modal': true,
          'aria-labelledby': 'audit-drawer-title',
          sx: { width: { xs: '100%', sm: 560 }, maxWidth: '100%' },
        },
      }}
    >
      {event !== null && <AuditBody event={event} onClose={onClose} />}
    </Drawer>
  );
}

function AuditBody({ event, onClose }: { event: AuditEvent; onClose: () => void }) {
  const { t } = useTranslation();
  const facts = auditFacts(event.detail);
  return (
    <>
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
        <Typography id="audit-drawer-title" variant="h2" sx={{ flex: 1, overflowWrap: 'anywhere' }}>
          {t('audit.drawer.title', { sequence: event.sequence, action: event.action })}
        </Typography>
        <IconButton aria-label={t('common.close')} onClick={onClose} size="small" edge="end">
          <CloseRounded />
        </IconButton>
      </Box>
      <Box sx={{ px: 3, py: 2.5, display: 'grid', gap: 3, overflowY: 'auto', minWidth: 0 }}>
        <Facts
          facts={[
            [t('audit.column.time'), formatSeconds(event.created_at)],
            [
              t('audit.column.actor'),
              actorText(event, { system: t('audit.system'), guest: t('audit.guest') }),
            ],
            [t('audit.drawer.role'), String(event.actor_role)],
            [t('audit.column.target'), `${event.target_type} ${event.target_id}`.trim()],
            [t('audit.column.ip'), event.ip === '' ? t('common.unknown') : event.ip],
            event.request_id !== '' && [
              t('audit.drawer.request'),
              <CopyableText key="request" text={event.request_id} />,
            ],
            [t('audit.drawer.hash'), <CopyableText key="hash" text={event.hash} />],
          ]}
        />
        <section aria-labelledby="audit-drawer-detail">
          <Typography id="audit-drawer-detail" variant="subtitle2" component="h3" sx={{ mb: 1 }}>
            {t('audit.column.detail')}
          </Typography>
          {facts.length === 0 ? (
            <Typography variant="body2" color="textSecondary">
              {t('audit.drawer.nothing')}
            </Typography>
          ) : (
            <Box sx={{ '& dt, & dd': { fontFamily: MONO, fontSize: 12.5 } }}>
              <Facts facts={facts.map(({ name, value }) => [name, value] as const)} />
            </Box>
          )}
        </section>
      </Box>
    </>
  );
}
