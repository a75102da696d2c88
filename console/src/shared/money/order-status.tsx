import CancelOutlined from '@mui/icons-material/CancelOutlined';
import CheckCircleOutlineRounded from '@mui/icons-material/CheckCircleOutlineRounded';
import ErrorOutlineRounded from '@mui/icons-material/ErrorOutlineRounded';
import GavelRounded from '@mui/icons-material/GavelRounded';
import HourglassBottomRounded from '@mui/icons-material/HourglassBottomRounded';
import ScheduleRounded from '@mui/icons-material/ScheduleRounded';
import UndoRounded from '@mui/icons-material/UndoRounded';
import { useTranslation } from 'react-i18next';
import { StatusTag } from '../feedback/status-tag';
import { isOrderWord, ORDER_TONES } from './order';

const ICONS = {
  pending: <ScheduleRounded />,
  success: <CheckCircleOutlineRounded />,
  refunded: <UndoRounded />,
  disputed: <GavelRounded />,
  expired: <HourglassBottomRounded />,
  failed: <CancelOutlined />,
  mismatch: <ErrorOutlineRounded />,
};

/** State of a payment order, as a word with its icon. */
export function OrderStatus({ status }: { status: string }) {
  const { t } = useTranslation();
  if (!isOrderWord(status)) return <StatusTag tone="neutral">{status}</StatusTag>;
  return (
    <StatusTag tone={ORDER_TONES[status]} icon={ICONS[status]}>
      {t(`money.status.${status}`)}
    </StatusTag>
  );
}
