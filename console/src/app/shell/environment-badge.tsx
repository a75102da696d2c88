import { useTranslation } from 'react-i18next';
import { Suspense } from 'react';
import { lazyPart } from '../../shared/feedback/lazy-part';
import { useStatus } from '../../shared/session/status';

/** Most instances have none. */
const StatusTag = lazyPart(async () => (await import('../../shared/feedback/status-tag')).StatusTag);

/** Says that usage is not sold here, or that this is only a demonstration. */
export function EnvironmentBadge() {
  return (
    <Suspense fallback={null}>
      <Badge />
    </Suspense>
  );
}

function Badge() {
  const { t } = useTranslation();
  const status = useStatus();
  if (status?.self_use_mode_enabled === true) {
    return (
      <StatusTag tone="accent" tooltip={t('shell.badge.selfHelp')}>
        {t('shell.badge.self')}
      </StatusTag>
    );
  }
  if (status?.demo_site_enabled === true) {
    return (
      <StatusTag tone="warning" tooltip={t('shell.badge.demoHelp')}>
        {t('shell.badge.demo')}
      </StatusTag>
    );
  }
  return null;
}
