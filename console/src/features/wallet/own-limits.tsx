import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyDialog } from '../../shared/feedback/lazy-dialog';
import { LimitList } from '../../shared/limits/limit-list';
import { limitRightsQuery, ownLimitsQuery } from '../../shared/limits/limits.api';
import { Section } from '../../shared/page/section';

const LimitDrawer = lazyDialog(
  async () => (await import('../../shared/limits/limit-drawer')).LimitDrawer,
  () => true,
);

/** Limits that concern the reader's calls; nothing where there are none. */
export function OwnLimits() {
  const { t } = useTranslation();
  const limits = useQuery(ownLimitsQuery());
  const zone = useQuery(limitRightsQuery).data?.time_zone ?? 'UTC';
  const [edited, setEdited] = useState<number | null>(null);
  const enabled = limits.data?.filter((limit) => limit.enabled) ?? [];
  if (enabled.length === 0) return null;
  return (
    <Section title={t('limits.own.title')} explanation={t('limits.own.text', { zone })}>
      <LimitList limits={enabled} withTarget onEdit={({ id }) => setEdited(id)} />
      {edited !== null && <LimitDrawer key={edited} edited={edited} onClose={() => setEdited(null)} />}
    </Section>
  );
}
