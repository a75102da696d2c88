import { useTranslation } from 'react-i18next';
import { Tip } from '../feedback/tip';
import { formatRelative, formatSeconds } from '../format/timestamp';
import { useNow } from './use-now';

interface MomentProps {
  /** Seconds since 1970; 0 = never. */
  seconds: number;
  /** Word for 0. */
  never?: string;
}

/** A moment, relative, with the exact time on hover. */
export function Moment({ seconds, never }: MomentProps) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  if (seconds <= 0) return <span>{never ?? t('common.never')}</span>;
  return (
    <Tip title={formatSeconds(seconds)}>
      <time dateTime={new Date(seconds * 1000).toISOString()} style={{ whiteSpace: 'nowrap' }}>
        {formatRelative(seconds, now, i18n.resolvedLanguage ?? 'en') ?? t('common.now')}
      </time>
    </Tip>
  );
}
