import { useTranslation } from 'react-i18next';
import { StatusTag, type Tone } from '../feedback/status-tag';

interface CodeTagProps {
  /** Undefined = a code this console has no word for. */
  label: string | undefined;
  tone: Tone;
  /** Code of the record. */
  code: string;
}

/** The word for a code; one without a word is unknown, and shown on hover. */
export function CodeTag({ label, tone, code }: CodeTagProps) {
  const { t } = useTranslation();
  if (label !== undefined) return <StatusTag tone={tone}>{label}</StatusTag>;
  return (
    <StatusTag tone="neutral" tooltip={code === '' ? undefined : code}>
      {t('common.unknown')}
    </StatusTag>
  );
}
