import { numberOf, textOf, type Document } from './json-fields.js';

/** A tool as a function of any vendor. */
interface FunctionForm {
  readonly description: string;
  readonly input_schema: Document;
}

const words = (...values: readonly string[]): Document => ({ type: 'string', enum: values });
const text = (description?: string): Document => ({
  type: 'string',
  ...(description === undefined ? {} : { description }),
});
const whole: Document = { type: 'integer' };
const point: Document = { type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 2 };
const object = (required: readonly string[], properties: Document): Document => ({
  type: 'object',
  properties,
  required,
});

const EDITS: Document = {
  path: text('Absolute path of a file or folder.'),
  file_text: text('Content of the new file, for `create`.'),
  old_str: text('Text to replace, which stands in the file once, for `str_replace`.'),
  new_str: text('Text in its place, for `str_replace`.'),
  insert_line: { ...whole, description: 'Line after which the text is inserted; 0 = at the beginning.' },
  insert_text: text('Text of `insert`.'),
  view_range: { ...point, description: 'First and last line for `view`, from 1; -1 = to the end.' },
};

const bash = (): FunctionForm => ({
  description: 'Run a command in a persistent bash session. The output of the command is the result.',
  input_schema: object([], {
    command: text('Command to run; not needed with `restart`.'),
    restart: { type: 'boolean', description: 'True = start the session anew.' },
  }),
});

const editor = (tool: Document): FunctionForm => {
  const undoes = /_(?:20241022|20250124)$/.test(textOf(tool['type']) ?? '');
  const commands = ['view', 'create', 'str_replace', 'insert', ...(undoes ? ['undo_edit'] : [])];
  return {
    description: 'View, create and edit text files.',
    // Versions up to 2025-04 put the inserted text in `new_str`.
    input_schema: object(['command', 'path'], { command: words(...commands), ...EDITS }),
  };
};

const memory = (): FunctionForm => ({
  description: 'Read and write files below /memories, which are kept between conversations.',
  input_schema: object(['command'], {
    command: words('view', 'create', 'str_replace', 'insert', 'delete', 'rename'),
    ...EDITS,
    path: text('Path below /memories.'),
    old_path: text('Path before `rename`.'),
    new_path: text('Path after `rename`.'),
  }),
});

const FIRST_ACTIONS = [
  'key',
  'type',
  'mouse_move',
  'left_click',
  'left_click_drag',
  'right_click',
  'middle_click',
  'double_click',
  'screenshot',
  'cursor_position',
];
const LATER_ACTIONS = ['left_mouse_down', 'left_mouse_up', 'scroll', 'hold_key', 'wait', 'triple_click'];

const computer = (tool: Document): FunctionForm => {
  const isFirst = textOf(tool['type'])?.endsWith('_20241022') === true;
  const zooms = tool['enable_zoom'] === true;
  const size = `${numberOf(tool['display_width_px']) ?? 0} × ${numberOf(tool['display_height_px']) ?? 0}`;
  const later = {
    start_coordinate: { ...point, description: 'Begin of a drag.' },
    scroll_direction: words('up', 'down', 'left', 'right'),
    scroll_amount: whole,
    duration: { type: 'number', description: 'Seconds, for `hold_key` and `wait`.' },
  };
  return {
    description: `Use mouse, keyboard and screen of a computer. The screen has ${size} pixels; take a screenshot to see it.`,
    input_schema: object(['action'], {
      action: words(...FIRST_ACTIONS, ...(isFirst ? [] : LATER_ACTIONS), ...(zooms ? ['zoom'] : [])),
      coordinate: { ...point, description: 'Pixels from the left and from the top.' },
      text: text('Text to type, or keys such as `ctrl+s`.'),
      ...(isFirst ? {} : later),
      ...(zooms ? { region: { type: 'array', items: whole, description: 'Left, top, right, bottom.' } } : {}),
    }),
  };
};

const FORMS: readonly (readonly [RegExp, (tool: Document) => FunctionForm])[] = [
  [/^bash_\d{8}$/, bash],
  [/^text_editor_\d{8}$/, editor],
  [/^memory_\d{8}$/, memory],
  [/^computer_\d{8}$/, computer],
];

/**
 * A tool that Anthropic defines and the client runs, as a function; undefined = another kind. The inputs are those of the public packages
 * (`@ai-sdk/anthropic` 3.0.58, https://docs.claude.com/en/docs/agents-and-tools/tool-use/computer-use-tool, read 2026-11-29).
 */
export function clientToolForm(tool: Document): FunctionForm | undefined {
  const type = textOf(tool['type']) ?? '';
  return FORMS.find(([kind]) => kind.test(type))?.[1](tool);
}
