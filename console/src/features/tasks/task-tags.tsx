import { useTranslation } from 'react-i18next';
import { CodeTag } from '../../shared/records/code-tag';
import type { Task } from './api';
import { isAction, PLATFORM_NAMES, STATUS_TONES, taskStatus } from './task.labels';

export function ActionTag({ action }: Pick<Task, 'action'>) {
  const { t } = useTranslation();
  const label = isAction(action) ? t(`tasks.action.${action}`) : undefined;
  return <CodeTag tone="neutral" code={action} label={label} />;
}

export function PlatformTag({ platform }: Pick<Task, 'platform'>) {
  const label = Object.hasOwn(PLATFORM_NAMES, platform) ? PLATFORM_NAMES[platform] : undefined;
  return <CodeTag tone="accent" code={platform} label={label} />;
}

export function TaskStatusTag({ status }: Pick<Task, 'status'>) {
  const { t } = useTranslation();
  const known = taskStatus(status);
  if (known === undefined) return <CodeTag tone="neutral" code={status} label={undefined} />;
  return <CodeTag tone={STATUS_TONES[known]} code={status} label={t(`tasks.status.${known}`)} />;
}
