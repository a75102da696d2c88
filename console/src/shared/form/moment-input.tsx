import CalendarMonthOutlined from '@mui/icons-material/CalendarMonthOutlined';
import IconButton from '@mui/material/IconButton';
import InputAdornment from '@mui/material/InputAdornment';
import OutlinedInput, { type OutlinedInputProps } from '@mui/material/OutlinedInput';
import { Suspense, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../feedback/lazy-part';
import { readWrittenTime, writtenTime } from '../format/timestamp';

const CalendarPopover = lazyPart(async () => (await import('./calendar-popover')).CalendarPopover);

interface MomentInputProps extends Omit<OutlinedInputProps, 'value' | 'onChange'> {
  /** Seconds; undefined = empty, NaN = a text that is no moment. */
  value: number | undefined;
  /** NaN for a text that is no moment, or not yet. */
  onChange: (seconds: number | undefined) => void;
}

/** Text that was typed, and the values it holds for: the one before it and the one that it means. */
interface Typed {
  readonly text: string;
  readonly before: number | undefined;
  readonly meant: number | undefined;
}

/**
 * A moment, written as everywhere in the console: 2026-11-21 09:05. A native field would write it, and its calendar, in the form of
 * the browser's language instead of the console's.
 */
export function MomentInput({ value, onChange, onBlur, disabled, ...rest }: MomentInputProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState<Typed | null>(null);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  const isTyped = typed !== null && (Object.is(value, typed.before) || Object.is(value, typed.meant));
  const take = (text: string) => {
    const meant = text.trim() === '' ? undefined : (readWrittenTime(text) ?? Number.NaN);
    setTyped({ text, before: value, meant });
    onChange(meant);
  };
  const leave = () => {
    const isMoment = typed !== null && !Number.isNaN(typed.meant);
    if (isMoment || !Number.isNaN(value)) setTyped(null);
  };
  return (
    <OutlinedInput
      {...rest}
      ref={frame}
      value={isTyped ? typed.text : writtenTime(value)}
      placeholder={t('common.form.momentForm')}
      disabled={disabled}
      onChange={(event) => take(event.target.value)}
      onBlur={(event) => {
        leave();
        onBlur?.(event);
      }}
      endAdornment={
        <InputAdornment position="end">
          <IconButton
            size="small"
            edge="end"
            aria-label={t('common.form.calendar')}
            aria-haspopup="dialog"
            aria-expanded={anchor !== null}
            disabled={disabled}
            onClick={() => setAnchor(frame.current)}
          >
            <CalendarMonthOutlined fontSize="small" />
          </IconButton>
          {anchor !== null && (
            <Suspense fallback={null}>
              <CalendarPopover
                anchor={anchor}
                value={value === undefined || Number.isNaN(value) ? undefined : value}
                onChange={(seconds) => {
                  setTyped(null);
                  onChange(seconds);
                }}
                onClose={() => setAnchor(null)}
              />
            </Suspense>
          )}
        </InputAdornment>
      }
    />
  );
}
