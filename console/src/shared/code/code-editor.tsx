import { json, jsonParseLinter } from '@codemirror/lang-json';
import { linter, lintGutter } from '@codemirror/lint';
import Box from '@mui/material/Box';
import { useColorScheme } from '@mui/material/styles';
import CodeMirror, { EditorView } from '@uiw/react-codemirror';
import { useMemo } from 'react';
import { lineOfBreak } from '../format/json-lines';
import { MONO } from '../format/mono';

interface CodeEditorProps {
  id: string;
  label: string;
  value: string;
  onChange: (text: string) => void;
  onBlur?: () => void;
  invalid?: boolean;
  describedBy?: string;
  minHeight: number;
  readOnly?: boolean;
}

const look = EditorView.theme({
  // The dark theme's own ground is too light for AA contrast; the page's is used instead.
  '&': { fontSize: '13px', backgroundColor: 'transparent !important' },
  '.cm-content, .cm-gutters': { fontFamily: MONO },
  '.cm-gutters': { backgroundColor: 'transparent !important', border: 'none' },
  '&.cm-focused': { outline: 'none' },
});

/** An empty text is no fault: it means "nothing set". Not every browser reports the place of a fault, so the line is our own. */
const jsonFaults = linter((view) => {
  const text = view.state.doc.toString();
  if (text.trim() === '') return [];
  const { from, to } = view.state.doc.line(Math.min(lineOfBreak(text), view.state.doc.lines));
  return jsonParseLinter()(view).map((fault) => ({ ...fault, from, to }));
});

/** CodeMirror for JSON in the console's colours. */
export function CodeEditor({
  id,
  label,
  value,
  onChange,
  onBlur,
  invalid,
  describedBy,
  minHeight,
  readOnly,
}: CodeEditorProps) {
  const { mode, systemMode } = useColorScheme();
  const dark = (mode === 'system' ? systemMode : mode) === 'dark';
  const extensions = useMemo(
    () => [
      json(),
      jsonFaults,
      lintGutter(),
      look,
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({
        id,
        tabindex: '0',
        'aria-label': label,
        ...(describedBy === undefined ? {} : { 'aria-describedby': describedBy }),
        'aria-invalid': String(invalid === true),
      }),
    ],
    [id, label, describedBy, invalid],
  );
  return (
    <Box
      sx={{
        border: 1,
        borderColor: invalid === true ? 'error.main' : 'divider',
        borderRadius: '8px',
        overflow: 'hidden',
        bgcolor: 'background.paper',
        '&:focus-within': { outline: '2px solid', outlineColor: 'primary.main', outlineOffset: -1 },
      }}
    >
      <CodeMirror
        value={value}
        onChange={onChange}
        onBlur={onBlur}
        theme={dark ? 'dark' : 'light'}
        extensions={extensions}
        readOnly={readOnly}
        minHeight={`${minHeight}px`}
        maxHeight="420px"
        indentWithTab={false}
        basicSetup={{
          foldGutter: false,
          lineNumbers: true,
          highlightActiveLine: false,
          highlightActiveLineGutter: false,
        }}
      />
    </Box>
  );
}
