import {
  FunctionCallingConfigMode,
  GoogleGenAI,
  type Content,
  type GenerateContentResponse,
  type Part,
} from '@google/genai';
import type { Session, Told } from './session.js';
import {
  FIRST_QUESTION,
  FORM_SCHEMA,
  FORM_TURN,
  LOOKUP_SCHEMA,
  nextQuestion,
  OUTPUT_CAP,
  PICTURE,
  resultOf,
  SYSTEM,
} from '../../../support/strict-vendors/story.js';

export const geminiSession: Session = async ({ url, key, model, modelAt, isStreamed }) => {
  const client = new GoogleGenAI({
    apiKey: key,
    httpOptions: { baseUrl: url, retryOptions: { attempts: 1 } },
  });
  const ask = (words: string): Content => ({
    role: 'user',
    parts: [{ text: words }, { inlineData: { mimeType: 'image/png', data: PICTURE } }],
  });
  const contents: Content[] = [ask(FIRST_QUESTION)];
  const told: Told[] = [];
  for (let turn = 0; turn <= FORM_TURN; turn += 1) {
    const request = {
      model: modelAt?.(turn) ?? model,
      contents,
      config: {
        systemInstruction: SYSTEM,
        maxOutputTokens: OUTPUT_CAP,
        thinkingConfig: { includeThoughts: true },
        toolConfig: { functionCallingConfig: { mode: FunctionCallingConfigMode.AUTO } },
        tools: [
          {
            functionDeclarations: [
              { name: 'lookup', description: 'Weather of days', parametersJsonSchema: LOOKUP_SCHEMA },
              { name: 'now', description: 'The time' },
            ],
          },
        ],
        ...(turn === FORM_TURN
          ? { responseMimeType: 'application/json', responseJsonSchema: FORM_SCHEMA }
          : {}),
      },
    };
    const answers: GenerateContentResponse[] = [];
    if (isStreamed)
      for await (const piece of await client.models.generateContentStream(request)) answers.push(piece);
    else answers.push(await client.models.generateContent(request));
    const parts: Part[] = answers.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? []);
    const calls = parts.flatMap(({ functionCall }) => (functionCall === undefined ? [] : [functionCall]));
    const usage = answers.findLast(({ usageMetadata }) => usageMetadata !== undefined)?.usageMetadata;
    const words = (isThought: boolean): string =>
      parts.map(({ text, thought }) => ((thought === true) === isThought ? (text ?? '') : '')).join('');
    told.push({
      text: words(false),
      thought: words(true),
      calls: calls.map(({ name = '', args }) => ({ name, args: args ?? {} })),
      usage: [
        usage?.promptTokenCount ?? -1,
        usage?.cachedContentTokenCount ?? -1,
        (usage?.candidatesTokenCount ?? -1) + (usage?.thoughtsTokenCount ?? 0),
      ],
      reason:
        answers.findLast(({ candidates }) => candidates?.[0]?.finishReason)?.candidates?.[0]?.finishReason ??
        '',
    });
    contents.push({ role: 'model', parts });
    if (calls.length === 0) contents.push(ask(nextQuestion(turn)));
    else
      contents.push({
        role: 'user',
        parts: calls.map(({ id, name = '', args }) => ({
          functionResponse: {
            ...(id === undefined ? {} : { id }),
            name,
            response: { output: resultOf(name, args ?? {}) },
          },
        })),
      });
  }
  return told;
};
