import { useTranslation } from 'react-i18next';
import { formatSeconds } from '../../shared/format/timestamp';
import { Section } from '../../shared/page/section';
import { useStatus } from '../../shared/session/status';
import { Facts } from '../../shared/value/facts';

export function AboutInstance() {
  const { t } = useTranslation();
  const status = useStatus();
  return (
    <Section title={t('settings.about.title')}>
      <Facts
        facts={[
          [t('settings.about.version'), status?.version ?? t('common.unknown')],
          [
            t('settings.about.started'),
            status?.start_time === undefined ? t('common.unknown') : formatSeconds(status.start_time),
          ],
        ]}
      />
    </Section>
  );
}
