import Box from '@mui/material/Box';
import { memo, useMemo } from 'react';
import { withFormulas } from './formulas';
import { Markdown } from './markdown';
import { splitBlocks } from './split-blocks';
import { splitSegments } from './split-segments';
import { SEGMENT, TEXT_STYLES } from './text-styles';

interface AnswerTextProps {
  text: string;
  /** Still arriving. */
  isOpen: boolean;
}

/** Markdown of a model. While it arrives, only its last part is parsed and drawn again. */
export const AnswerText = memo(function AnswerText({ text, isOpen }: AnswerTextProps) {
  const { sources, definitions } = useMemo(() => splitSegments(text, isOpen), [text, isOpen]);
  return (
    <Box sx={TEXT_STYLES}>
      {sources.map((source, index) => {
        const used = source.includes('[') ? definitions : '';
        return (
          // Parts keep their places: text is only added at the end. Links may get their addresses later.
          <Segment
            key={`${index} ${used}`}
            source={source}
            definitions={used}
            isOpen={isOpen && index === sources.length - 1}
          />
        );
      })}
    </Box>
  );
});

interface SegmentProps {
  source: string;
  /** Link definitions elsewhere in the text. */
  definitions: string;
  isOpen: boolean;
}

const Segment = memo(function Segment({ source, definitions, isOpen }: SegmentProps) {
  const tokens = useMemo(
    () => splitBlocks(withFormulas(source), isOpen, definitions),
    [source, definitions, isOpen],
  );
  return (
    <div className={SEGMENT}>
      <Markdown tokens={tokens} isOpen={isOpen} />
    </div>
  );
});
