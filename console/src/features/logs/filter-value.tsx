import { useTranslation } from 'react-i18next';
import { Tip } from '../../shared/feedback/tip';
import { CutButton } from '../../shared/value/cut-button';

interface FilterValueProps {
  text: string;
  mono?: boolean;
  maxWidth?: number | string;
  onFilter: () => void;
}

/** A value of a line; pressing it filters the list by it. */
export function FilterValue({ text, mono, maxWidth = 200, onFilter }: FilterValueProps) {
  const { t } = useTranslation();
  if (text === '') return null;
  return (
    <Tip title={t('logs.by', { name: text })}>
      <CutButton
        text={text}
        mono={mono}
        maxWidth={maxWidth}
        aria-label={t('logs.by', { name: text })}
        onClick={(event) => {
          event.stopPropagation();
          onFilter();
        }}
      />
    </Tip>
  );
}
