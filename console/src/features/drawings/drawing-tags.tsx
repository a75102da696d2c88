import { useTranslation } from 'react-i18next';
import { CodeTag } from '../../shared/records/code-tag';
import type { Drawing } from './api';
import { CODE_TONES, isAction, isStatus, isSubmitCode, STATUS_TONES } from './drawing.labels';

export function ActionTag({ action }: Pick<Drawing, 'action'>) {
  const { t } = useTranslation();
  const label = isAction(action) ? t(`drawings.action.${action}`) : undefined;
  return <CodeTag tone="neutral" code={action} label={label} />;
}

export function SubmitTag({ code }: Pick<Drawing, 'code'>) {
  const { t } = useTranslation();
  if (!isSubmitCode(code)) return <CodeTag tone="neutral" code={String(code)} label={undefined} />;
  return <CodeTag tone={CODE_TONES[code]} code={String(code)} label={t(`drawings.code.${code}`)} />;
}

export function DrawingStatusTag({ status }: Pick<Drawing, 'status'>) {
  const { t } = useTranslation();
  if (!isStatus(status)) return <CodeTag tone="neutral" code={status} label={undefined} />;
  return <CodeTag tone={STATUS_TONES[status]} code={status} label={t(`drawings.status.${status}`)} />;
}
