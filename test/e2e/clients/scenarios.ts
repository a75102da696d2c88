import {
  PICTURE,
  refuse,
  type Call,
  type FailureKind,
  type Step,
  type Story,
  type Understood,
} from '../../support/strict-vendors/story.js';

/** Task of every program, in whatever language, once per upstream. */
export interface Scenario {
  readonly name: string;
  readonly question: string;
  readonly steps: readonly ScenarioStep[];
  readonly failure?: FailureKind | 'cut';
}

interface ScenarioStep {
  readonly text: string;
  readonly thought?: string;
  readonly calls?: readonly Call[];
  readonly sources?: Step['sources'];
  /** Replaces the text by what the vendor saw in the request. */
  readonly told?: (understood: Understood) => string;
}

/** Answer of a program's tool, whatever its arguments. */
export const TOOL_RESULT = '21 degrees';
export const SOURCE = { url: 'https://weather.example/zuerich', title: 'Weather of Zürich' } as const;
export const ANSWER = 'Grüezi 👋 from Zürich: “21 degrees”.';
export const THOUGHT = 'The user wants the weather.\nI know it.';
const LOOKUP: Call = { id: 'call_weather_1', name: 'lookup', args: { city: 'Zürich', days: 3 } };
const NOW: Call = { id: 'call_weather_2', name: 'now', args: {} };

/** A document of one page, as small as they get. */
export const PDF = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
).toString('base64');

const answered = (name: string, more: Partial<Scenario> = {}): Scenario => ({
  name,
  question: `[${name}] How is the weather in Zürich?`,
  steps: [{ text: ANSWER, thought: THOUGHT }],
  ...more,
});

export const LONG_HISTORY = 30;

export const SCENARIOS: readonly Scenario[] = [
  answered('chat'),
  answered('stream'),
  answered('tools', {
    steps: [
      { text: '', thought: THOUGHT, calls: [LOOKUP] },
      { text: ANSWER, thought: THOUGHT },
    ],
  }),
  answered('tools-streamed', {
    steps: [
      { text: '', thought: THOUGHT, calls: [LOOKUP] },
      { text: ANSWER, thought: THOUGHT },
    ],
  }),
  answered('parallel-tools', {
    steps: [
      { text: '', thought: THOUGHT, calls: [LOOKUP, NOW] },
      { text: ANSWER, thought: THOUGHT },
    ],
  }),
  answered('parallel-tools-streamed', {
    steps: [
      { text: '', thought: THOUGHT, calls: [LOOKUP, NOW] },
      { text: ANSWER, thought: THOUGHT },
    ],
  }),
  answered('structured', {
    steps: [{ text: JSON.stringify({ city: 'Zürich', degrees: 21 }), thought: THOUGHT }],
  }),
  answered('picture', {
    steps: [{ text: ANSWER, thought: THOUGHT, told: ({ pictures }) => `I see ${pictures} picture.` }],
  }),
  answered('file', {
    steps: [{ text: ANSWER, thought: THOUGHT, told: ({ files = 0 }) => `I read ${files} file.` }],
  }),
  answered('reasoning'),
  answered('reasoning-streamed'),
  answered('citations', { steps: [{ text: ANSWER, thought: THOUGHT, sources: [SOURCE] }] }),
  answered('citations-streamed', { steps: [{ text: ANSWER, thought: THOUGHT, sources: [SOURCE, SOURCE] }] }),
  answered('long-history', {
    steps: [
      ...Array.from({ length: LONG_HISTORY }, (_, at) => ({ text: `Answer ${at}.`, thought: THOUGHT })),
      { text: ANSWER, thought: THOUGHT },
    ],
  }),
  answered('rate-limited', { failure: 'rate-limited' }),
  answered('too-long', { failure: 'too-long' }),
  answered('overloaded', { failure: 'overloaded' }),
  answered('cut', { failure: 'cut' }),
];

/** Scenarios without a story: their result does not depend on the vendor's answer. */
export const OTHER_SCENARIOS = ['embeddings', 'models', 'unauthorized', 'unknown-model'] as const;

function storyFor({ steps, failure }: Scenario): Story {
  const stepAt = (index: number, understood?: Understood): Step => {
    const { text = '', thought = '', calls = [], sources, told } = steps[index] ?? {};
    const said = told !== undefined && understood !== undefined ? told(understood) : text;
    return { index, thought, text: said, calls, ...(sources === undefined ? {} : { sources }) };
  };
  return {
    stepAt,
    // Few clients return thoughts of an OpenAI-compatible vendor; the agents' tests cover vendors that insist on them.
    openRound: () => 0,
    isHidden: () => false,
    checkHistory: (turns) => {
      for (const [index, turn] of turns.entries()) {
        const step = stepAt(index);
        if (turn.text !== step.text)
          refuse(`turn ${index}: text ${JSON.stringify(turn.text)} was never said`);
        const kept = JSON.stringify(turn.calls.map(({ name, args }) => [name, args]));
        if (kept !== JSON.stringify(step.calls.map(({ name, args }) => [name, args])))
          refuse(`turn ${index}: calls differ: ${kept}`);
        if (turn.results.length !== step.calls.length)
          refuse(`turn ${index}: ${turn.results.length} results for ${step.calls.length} calls`);
        for (const { text: result } of turn.results)
          if (!result.includes(TOOL_RESULT)) refuse(`turn ${index}: a result is ${JSON.stringify(result)}`);
      }
    },
    ...(failure === undefined ? {} : { failure }),
  };
}

const STORIES = new Map(SCENARIOS.map((scenario) => [scenario.name, storyFor(scenario)]));

/** Which scenario a request belongs to: its first question begins with the name in brackets. */
export function storyOf(body: unknown): Story {
  const name = /\[([a-z-]+)\] How is the weather/.exec(JSON.stringify(body))?.[1] ?? 'chat';
  return STORIES.get(name) ?? refuse(`nobody wrote the scenario ${name}`);
}

/** Scenarios for a program in another language, as JSON. */
export const scenarioDocument = (): Record<string, unknown> => ({
  answer: ANSWER,
  thought: THOUGHT,
  toolResult: TOOL_RESULT,
  source: SOURCE,
  picture: PICTURE,
  pdf: PDF,
  longHistory: LONG_HISTORY,
});
