import ButtonBase from '@mui/material/ButtonBase';
import { useTranslation } from 'react-i18next';
import { Tip } from '../../shared/feedback/tip';
import { MONO } from '../../shared/format/mono';

interface FilterValueProps {
  text: string;
  mono?: boolean;
  maxWidth?: number;
  onFilter: () => void;
}

/** A value of a line; pressing it filters the list by it. */
export function FilterValue({ text, mono = false, maxWidth = 200, onFilter }: FilterValueProps) {
  const { t } = useTranslation();
  if (text === '') return null;
  return (
    <Tip title={t('logs.by', { name: text })}>
      <ButtonBase
        aria-label={t('logs.by', { name: text })}
        onClick={(event) => {
          event.stopPropagation();
          onFilter();
        }}
        sx={{
          font: 'inherit',
          fontFamily: mono ? MONO : undefined,
          fontSize: mono ? 12.5 : undefined,
          borderRadius: '5px',
          px: 0.5,
          mx: -0.5,
          maxWidth,
          justifyContent: 'flex-start',
          '&:hover': { bgcolor: 'soft.accent', color: 'primary.main' },
        }}
      >
        <span style={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>{text}</span>
      </ButtonBase>
    </Tip>
  );
}
