import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useTranslation } from 'react-i18next';
import { MONO } from '../../../shared/format/mono';
import type { ChatSettings } from '../chat/chat-settings';
import { readSchema, readTools } from '../chat/read-json';
import { Folded } from './folded';

const EXAMPLE_TOOLS = JSON.stringify(
  [
    {
      name: 'get_weather',
      description: 'Current weather of a city',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  ],
  null,
  2,
);
const EXAMPLE_SCHEMA = JSON.stringify(
  {
    type: 'object',
    properties: { answer: { type: 'string' }, confidence: { type: 'number' } },
    required: ['answer', 'confidence'],
    additionalProperties: false,
  },
  null,
  2,
);

interface ToolSettingsProps {
  settings: ChatSettings;
  onChange: (patch: Partial<ChatSettings>) => void;
}

/** Functions the model may call, which the reader answers by hand, and the schema of its answer. */
export function ToolSettings({ settings: { tools, schema }, onChange }: ToolSettingsProps) {
  const { t } = useTranslation();
  const toolFault = readTools(tools).fault;
  const schemaFault = readSchema(schema).fault;
  return (
    <Folded title={t('playground.toolsAndSchema')}>
      <JsonText
        label={t('playground.tools')}
        help={toolFault === undefined ? t('playground.toolsHelp') : t(`playground.jsonFault.${toolFault}`)}
        isFaulty={toolFault !== undefined}
        text={tools}
        example={EXAMPLE_TOOLS}
        onChange={(text) => onChange({ tools: text })}
      />
      <JsonText
        label={t('playground.schema')}
        help={
          schemaFault === undefined ? t('playground.schemaHelp') : t(`playground.jsonFault.${schemaFault}`)
        }
        isFaulty={schemaFault !== undefined}
        text={schema}
        example={EXAMPLE_SCHEMA}
        onChange={(text) => onChange({ schema: text })}
      />
    </Folded>
  );
}

interface JsonTextProps {
  label: string;
  help: string;
  isFaulty: boolean;
  text: string;
  example: string;
  onChange: (text: string) => void;
}

function JsonText({ label, help, isFaulty, text, example, onChange }: JsonTextProps) {
  const { t } = useTranslation();
  return (
    <div>
      <TextField
        size="small"
        fullWidth
        multiline
        minRows={2}
        maxRows={12}
        label={label}
        helperText={help}
        error={isFaulty}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        slotProps={{ htmlInput: { style: { fontFamily: MONO, fontSize: 12 }, spellCheck: false } }}
      />
      {text === '' && (
        <Button
          size="small"
          onClick={() => onChange(example)}
          aria-label={t('playground.exampleOf', { name: label })}
        >
          {t('playground.example')}
        </Button>
      )}
    </div>
  );
}
