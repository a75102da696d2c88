import { useTranslation } from 'react-i18next';
import { CopyableText } from '../value/copyable';

/** Id of a channel; pressing it copies it. */
export function ChannelId({ id }: { id: number }) {
  const { t } = useTranslation();
  return <CopyableText text={String(id)} label={t('records.channelNamed', { id })} />;
}
