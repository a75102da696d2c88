/** Parameters of calls to one model. Absent = not sent. */
export interface ModelParameters {
  /** 0 to 1 in steps of 0.1. */
  readonly temperature: number;
  /** 0 = the model's own limit. */
  readonly maxTokens: number;
  readonly topP?: number;
  readonly frequencyPenalty?: number;
  readonly presencePenalty?: number;
  readonly seed?: number;
  /** Texts that end the answer, one a line. */
  readonly stop?: string;
  readonly reasoningEffort?: ReasoningEffort;
}

export const REASONING_EFFORTS = ['minimal', 'low', 'medium', 'high'] as const;
export type ReasoningEffort = (typeof REASONING_EFFORTS)[number];

export const DEFAULT_PARAMETERS: ModelParameters = { temperature: 0, maxTokens: 0 };

/** Settings of a conversation, the same for all of its models but for their parameters. */
export interface ChatSettings {
  /** Empty = the account's own. */
  readonly group: string;
  readonly systemPrompt: string;
  /** JSON: a list of functions `{ name, description, parameters }`; empty = none. */
  readonly tools: string;
  /** JSON schema of the answer; empty = free text. */
  readonly schema: string;
  /** Parameters by model. */
  readonly parameters: Readonly<Record<string, ModelParameters>>;
}

/** Parameters of a model; those set before the models were known hold for each without its own. */
export function parametersOf({ parameters }: ChatSettings, model: string): ModelParameters {
  const own = Object.hasOwn(parameters, model) ? parameters[model] : parameters[''];
  return own ?? DEFAULT_PARAMETERS;
}

const ownName = (model: string): string => model.slice(model.lastIndexOf('/') + 1);

/** OpenAI's reasoning models refuse sampling parameters: https://platform.openai.com/docs/guides/reasoning (read 2026-11-29). */
export const takesSampling = (model: string): boolean =>
  !/^(?:o[1-9](?:-|$)|gpt-5(?!.*-chat))/i.test(ownName(model));

/** Models whose vendors document an effort of reasoning; others get the field only when the reader sets it. */
export const takesEffort = (model: string): boolean =>
  /^(?:o[1-9](?:-|$)|gpt-5(?!.*-chat)|gpt-oss|gemini-(?:2\.5|3)|claude-(?:opus|sonnet|haiku)-[4-9]|claude-3-7|grok-(?:3-mini|4)|deepseek-(?:r|v3\.)|qwen3)/i.test(
    ownName(model),
  );
