import { dirname } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { connectClient } from '../../../../console/src/shared/connect/clients.ts';
import { list, object, type Json, type Story } from '../../../support/strict-vendors/story.js';
import { StrictVendor } from '../../../support/strict-vendors/strict-vendor.js';
import { addVendor, modelOf, openAgentFixture, type AgentFixture } from '../agents/agent.fixture.js';
import { LOOK_ALIKES, refusingGrammar } from '../agents/look-alikes.js';
import { runConnected } from '../connect-runs.js';
import { programClients } from '../tool-chains.js';

const QUESTION = 'Read note.txt in this folder, then say in one sentence how it went.';
const ANSWER = 'Grüezi mitenand.';
/** Each program, and its command for one prompt without a dialog. */
const PROGRAMS: readonly (readonly [id: string, line: string])[] = [
  ['claude-code', `claude -p "${QUESTION}"`],
  ['codex', `codex exec --skip-git-repo-check "${QUESTION}"`],
  ['gemini-cli', `gemini --skip-trust -p "${QUESTION}"`],
  ['opencode', `opencode run "${QUESTION}"`],
  ['qwen-code', `qwen -p "${QUESTION}"`],
  ['cline-cli', `cline --timeout 60 "${QUESTION}"`],
];
const NATIVE = ['chat', 'responses', 'messages', 'gemini'] as const;
const UPSTREAMS: readonly string[] = [...NATIVE.map(modelOf), ...LOOK_ALIKES.map(({ model }) => model)];
/** Gemini CLI asks for this model where it is configured with the one before. */
const SUCCESSOR = 'gemini-3.1-pro-preview';
const TIMEOUT_MS = 240_000;

/** Each program before two upstreams, so that each upstream has two programs; `CELLS=all` runs every pair. */
const CELLS = PROGRAMS.flatMap(([id, line], row) =>
  UPSTREAMS.filter((_model, column) => {
    const step = (column - row + UPSTREAMS.length) % UPSTREAMS.length;
    return process.env['CELLS'] === 'all' || step === 0 || step === UPSTREAMS.length / 2;
  }).map((model) => [id, model, line] as const),
);

/** Tools of these programs that read a file or run a command. */
const KNOWN_TOOLS =
  /^(?:Read|read|read_file|read_files|exec_command|shell|local_shell|run_shell_command|bash|Bash)$/;

interface OfferedTool {
  readonly name: string;
  readonly schema: Json;
}

/** Functions that a request offers, in the form of any of the four APIs. */
function toolsOf(body: Json): readonly OfferedTool[] {
  return list(body['tools']).flatMap((tool) => {
    const declared = list(tool['functionDeclarations']);
    return (declared.length > 0 ? declared : [{ ...tool, ...object(tool['function']) }]).map((one) => ({
      name: String(one['name'] ?? ''),
      schema: object(one['input_schema'] ?? one['parameters'] ?? one['parametersJsonSchema']),
    }));
  });
}

/** A value that the schema of a member allows. */
function valueFor(name: string, schema: Json): unknown {
  switch (String(schema['type']).toLowerCase()) {
    case 'array':
      return [valueFor(name, object(schema['items']))];
    case 'object':
      return argumentsFor(schema);
    case 'number':
    case 'integer':
      return 1;
    case 'boolean':
      return false;
    default:
      return /command|cmd/.test(name) ? 'cat note.txt' : 'note.txt';
  }
}

const argumentsFor = (schema: Json): Json =>
  Object.fromEntries(
    ((schema['required'] ?? []) as readonly string[]).map((name) => [
      name,
      valueFor(name, object(object(schema['properties'])[name])),
    ]),
  );

/** One call of a tool where the request offers one that is known, then the answer. */
function storyOf(body: Json): Story {
  const tool = toolsOf(body).find(({ name }) => KNOWN_TOOLS.test(name));
  return {
    isForeign: true,
    openRound: () => 0,
    isHidden: () => false,
    knowsThought: () => true,
    checkHistory: () => undefined,
    stepAt: (index) =>
      index === 0 && tool !== undefined
        ? {
            index,
            thought: 'Hm.',
            text: '',
            calls: [{ id: 'call_0_0', name: tool.name, args: argumentsFor(tool.schema) }],
          }
        : { index, thought: 'Hm.', text: ANSWER, calls: [] },
  };
}

const program = programClients();
const folder = 'missing' in program ? undefined : program.command()[0];
const suite = folder === undefined ? describe.skip : describe;
const because = 'missing' in program ? `, left out: ${program.missing}` : '';

suite(`programs of the terminal before vendors that refuse${because}`, () => {
  let fixture: AgentFixture;
  const vendors = new Map<string, StrictVendor>();
  beforeAll(async () => {
    fixture = await openAgentFixture(storyOf);
    for (const name of NATIVE) vendors.set(modelOf(name), fixture.vendors[name]);
    for (const one of LOOK_ALIKES) {
      const vendor = await StrictVendor.start(refusingGrammar(one), ['/v1/chat/completions'], storyOf);
      vendors.set(one.model, vendor);
      await fixture.admin.addChannel({ type: one.type, base_url: vendor.url, models: [one.model] });
    }
    const gemini = fixture.vendors.gemini.url;
    await addVendor(fixture.admin, 'gemini', gemini, {
      models: [SUCCESSOR],
      model_mapping: JSON.stringify({ [SUCCESSOR]: modelOf('gemini') }),
    });
    const models = [...UPSTREAMS, SUCCESSOR];
    const each = (value: number) => Object.fromEntries(models.map((model) => [model, value]));
    await fixture.admin.setOptions({ ModelRatio: each(1), CompletionRatio: each(2) });
  }, TIMEOUT_MS);
  afterEach(() => {
    for (const vendor of vendors.values()) vendor.forget();
  });
  afterAll(async () => {
    await fixture?.close();
    for (const one of LOOK_ALIKES) await vendors.get(one.model)?.vendor.close();
  });

  it.each(CELLS)(
    'finishes a round with a tool by %s over %s',
    async (id, model, line) => {
      const parts = connectClient(id).parts({ address: fixture.url, key: fixture.key, model });
      const programs = [folder ?? '', dirname(process.execPath)];
      const output = await runConnected(parts, { programs, line });
      const { refusals, understood } = vendors.get(model) ?? { refusals: ['none'], understood: [] };
      expect(refusals).toEqual([]);
      expect(output).toContain(ANSWER);
      const results = understood.flatMap(({ turns }) => turns.flatMap((turn) => turn.results));
      expect(results.length).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );
});
