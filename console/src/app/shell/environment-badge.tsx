import { useTranslation } from 'react-i18next';
import { StatusTag } from '../../shared/feedback/status-tag';
import { useStatus } from '../../shared/session/status';

/** Says that usage is not sold here, or that this is only a demonstration. */
export function EnvironmentBadge() {
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
