import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { AccountLink } from '../../shared/accounts/account-link';
import { ReadingDrawer } from '../../shared/dialog/reading-drawer';
import { MONO } from '../../shared/format/mono';
import { formatSeconds } from '../../shared/format/timestamp';
import { CopyableText } from '../../shared/value/copyable';
import { Facts } from '../../shared/value/facts';
import type { AuditEvent } from './api';
import { actorText, auditFacts } from './audit-detail';
import { ROLES, targetAccount, targetText } from './audit.labels';
import { useAuditTexts } from './use-audit-texts';
import { useActionName } from '../../shared/audit-actions/use-action-name';

interface AuditDrawerProps {
  /** Null = closed. */
  event: AuditEvent | null;
  onClose: () => void;
}

/** One act in full. */
export function AuditDrawer({ event, onClose }: AuditDrawerProps) {
  const { t } = useTranslation();
  const actionName = useActionName();
  return (
    <ReadingDrawer
      open={event !== null}
      onClose={onClose}
      title={
        event !== null &&
        t('audit.drawer.title', { sequence: event.sequence, action: actionName(event.action) })
      }
    >
      {event !== null && <AuditBody event={event} />}
    </ReadingDrawer>
  );
}

function AuditBody({ event }: { event: AuditEvent }) {
  const { t, i18n } = useTranslation();
  const wordsFor = useAuditTexts();
  const facts = auditFacts(event.detail, wordsFor(event));
  const role = ROLES[event.actor_role];
  return (
    <Box sx={{ px: 3, py: 2.5, display: 'grid', gap: 3, overflowY: 'auto', minWidth: 0 }}>
      <Facts
        facts={[
          [t('audit.column.time'), formatSeconds(event.created_at)],
          [t('audit.drawer.code'), <CopyableText key="code" text={event.action} />],
          [
            t('audit.column.actor'),
            <AccountLink
              key="actor"
              id={event.actor_id}
              text={actorText(event, { system: t('audit.system'), guest: t('audit.guest') })}
            />,
          ],
          event.actor_role > 0 && [
            t('audit.drawer.role'),
            role === undefined ? String(event.actor_role) : t(`audit.role.${role}`),
          ],
          [
            t('audit.column.target'),
            <AccountLink key="target" id={targetAccount(event)} text={targetText(event, i18n)} />,
          ],
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
  );
}
