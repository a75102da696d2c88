import { useTranslation } from 'react-i18next';
import { Section } from '../../shared/page/section';
import type { Self } from '../../shared/session/self';
import { Facts } from '../../shared/value/facts';
import { Quota } from '../../shared/value/quota';
import { UsedQuota } from '../../shared/value/used-quota';

export function AccountFigures({ self }: { self: Self }) {
  const { t } = useTranslation();
  return (
    <Section title={t('personal.money.title')}>
      <Facts
        facts={[
          [t('personal.money.balance'), <Quota key="balance" value={self.quota} />],
          [
            t('personal.money.used'),
            <UsedQuota key="used" charged={self.used_quota} refunded={self.refunded_quota} />,
          ],
          [t('personal.money.calls'), self.request_count.toLocaleString('en-US')],
          [t('personal.money.group'), self.group],
        ]}
      />
    </Section>
  );
}
