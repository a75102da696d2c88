import Box from '@mui/material/Box';
import Popover from '@mui/material/Popover';
import { useState } from 'react';
import { DayPicker } from 'react-day-picker';
import { enUS } from 'react-day-picker/locale/en-US';
import { zhCN } from 'react-day-picker/locale/zh-CN';
import { useTranslation } from 'react-i18next';
import { fromInputTime, toInputTime } from '../format/timestamp';

interface CalendarPopoverProps {
  /** The field it belongs to. */
  anchor: HTMLElement;
  /** Seconds; undefined = no day is chosen. */
  value: number | undefined;
  onChange: (seconds: number) => void;
  onClose: () => void;
}

/** The calendar's days are those of the browser's zone; only their numbers count. */
const dayOf = (inputTime: string): Date => new Date(`${inputTime.slice(0, 10)}T12:00`);

const twoDigits = (figure: number): string => String(figure).padStart(2, '0');
const dateText = (day: Date): string =>
  `${String(day.getFullYear()).padStart(4, '0')}-${twoDigits(day.getMonth() + 1)}-${twoDigits(day.getDate())}`;

/** A month to choose a day from, in the console's language and with its first day of the week. The hour stays as it was. */
export function CalendarPopover({ anchor, value, onChange, onClose }: CalendarPopoverProps) {
  const { t, i18n } = useTranslation();
  const language = i18n.resolvedLanguage ?? 'en';
  const written = toInputTime(value);
  const selected = written === '' ? undefined : dayOf(written);
  const [today] = useState(() => dayOf(toInputTime(Math.floor(Date.now() / 1000))));
  const month = new Intl.DateTimeFormat(language, { year: 'numeric', month: 'long' });
  const choose = (day: Date) => {
    const seconds = fromInputTime(`${dateText(day)}T${written.slice(11) || '00:00'}`);
    if (seconds !== undefined) onChange(seconds);
    onClose();
  };
  return (
    <Popover
      open
      anchorEl={anchor}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
      onClose={onClose}
      slotProps={{ paper: { role: 'dialog', 'aria-label': t('common.form.calendar') } }}
    >
      <Box sx={MONTH}>
        <DayPicker
          mode="single"
          required
          autoFocus
          showOutsideDays
          fixedWeeks
          locale={language === 'zh' ? zhCN : enUS}
          today={today}
          selected={selected}
          defaultMonth={selected ?? today}
          onSelect={choose}
          formatters={{ formatCaption: (first) => month.format(first) }}
        />
      </Box>
    </Popover>
  );
}

const BUTTON = {
  font: 'inherit',
  color: 'inherit',
  background: 'none',
  border: 0,
  borderRadius: '8px',
  width: 36,
  height: 36,
  cursor: 'pointer',
  display: 'inline-grid',
  placeItems: 'center',
  '&:hover': { bgcolor: 'action.hover' },
  '&:focus-visible': { outline: '2px solid', outlineColor: 'primary.main', outlineOffset: '-2px' },
} as const;

const MONTH = {
  p: 1.5,
  fontSize: 13,
  fontVariantNumeric: 'tabular-nums',
  '& .rdp-months': { position: 'relative' },
  '& .rdp-month_caption': { height: 36, display: 'flex', alignItems: 'center', pl: 1, fontWeight: 600 },
  '& .rdp-nav': { position: 'absolute', top: 0, right: 0, display: 'flex', zIndex: 1 },
  '& .rdp-button_previous, & .rdp-button_next': BUTTON,
  '& .rdp-chevron': { width: 18, height: 18, fill: 'currentColor' },
  '& .rdp-month_grid': { borderCollapse: 'collapse' },
  '& .rdp-weekday': { width: 36, height: 32, fontWeight: 500, color: 'text.secondary' },
  '& .rdp-day': { p: 0, textAlign: 'center' },
  '& .rdp-day_button': BUTTON,
  '& .rdp-outside': { color: 'text.secondary' },
  '& .rdp-today .rdp-day_button': { fontWeight: 700, color: 'primary.main' },
  '& .rdp-selected .rdp-day_button': {
    bgcolor: 'primary.main',
    color: 'primary.contrastText',
    '&:hover': { bgcolor: 'primary.dark' },
  },
} as const;
