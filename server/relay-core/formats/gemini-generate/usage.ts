import { isTokenCountOrNone, type Usage } from '../../model/usage.js';
import { documentOf, isDocument, listOf, type Document } from '../shared/fields/json-fields.js';
import { settleUsage } from '../shared/metering/reported-usage.js';

/**
 * Reads `usageMetadata`: thoughts stand beside the candidates and are added, tokens read by
 * tools stand beside the prompt and are added, cached tokens are part of the prompt. Reports that only name the kind
 * of traffic report nothing.
 * @returns undefined when nothing was reported, 'invalid' when a figure cannot be true
 */
export function readUsage(value: unknown): Usage | 'invalid' | undefined {
  if (value === null || value === undefined) return undefined;
  if (!isDocument(value)) return 'invalid';
  const figures = {
    prompt: value['promptTokenCount'],
    tools: value['toolUsePromptTokenCount'],
    cached: value['cachedContentTokenCount'],
    candidates: value['candidatesTokenCount'] ?? value['responseTokenCount'],
    thoughts: value['thoughtsTokenCount'],
    total: value['totalTokenCount'],
  };
  for (const figure of Object.values(figures)) if (!isTokenCountOrNone(figure)) return 'invalid';
  const counts = figures as { [Name in keyof typeof figures]: number | null | undefined };
  if (counts.prompt == null && counts.candidates == null && counts.total == null) return undefined;
  const read = modalitiesOf(value, ['promptTokensDetails', 'toolUsePromptTokensDetails']);
  const written = modalitiesOf(value, ['candidatesTokensDetails', 'responseTokensDetails']);
  if (read === 'invalid' || written === 'invalid') return 'invalid';
  const input = counts.prompt == null ? undefined : counts.prompt + (counts.tools ?? 0);
  const thoughts = counts.thoughts ?? 0;
  const { candidates, total } = counts;
  const output = outputOf({ input, candidates, thoughts, total });
  return settleUsage({
    input,
    output,
    cacheRead: counts.cached,
    audioIn: read.audio,
    imageIn: read.image,
    reasoning: thoughts,
    audioOut: written.audio,
    imageOut: written.image,
  });
}

/** Without candidates the rest of the total is what was written. */
function outputOf(counts: {
  readonly input: number | undefined;
  readonly candidates: number | null | undefined;
  readonly thoughts: number;
  readonly total: number | null | undefined;
}): number | undefined {
  const { input, candidates, thoughts, total } = counts;
  if (candidates != null && candidates > 0) return candidates + thoughts;
  const rest = input === undefined || total == null ? undefined : total - input;
  if (rest === undefined) return candidates == null && thoughts === 0 ? undefined : thoughts;
  return Math.max(rest, thoughts, 0);
}

interface Modalities {
  readonly audio: number;
  readonly image: number;
}

/** Tokens by kind; video and documents are priced as text. */
function modalitiesOf(report: Document, names: readonly string[]): Modalities | 'invalid' {
  let audio = 0;
  let image = 0;
  for (const name of names) {
    for (const item of listOf(report[name])) {
      const { modality, tokenCount } = documentOf(item) as { modality?: unknown; tokenCount?: unknown };
      if (!isTokenCountOrNone(tokenCount)) return 'invalid';
      const tokens = (tokenCount as number | null | undefined) ?? 0;
      if (modality === 'AUDIO') audio += tokens;
      else if (modality === 'IMAGE') image += tokens;
    }
  }
  return { audio, image };
}

/** The search Google ran for an answer is paid once per answer, however many words were looked up. */
export const withSearch = (usage: Usage, hasSearched: boolean): Usage =>
  hasSearched ? { ...usage, tools: { ...usage.tools, 'web-search': 1 } } : usage;

/** Neutral figures in this format's words: thoughts beside the candidates. */
export function writeUsage(usage: Usage): Record<string, unknown> {
  const input = usage.input.total ?? 0;
  const output = usage.output.total ?? 0;
  const thoughts = Math.min(usage.output.reasoning ?? 0, output);
  return {
    promptTokenCount: input,
    candidatesTokenCount: output - thoughts,
    ...(thoughts === 0 ? {} : { thoughtsTokenCount: thoughts }),
    totalTokenCount: input + output,
    ...(usage.input.cacheRead === undefined ? {} : { cachedContentTokenCount: usage.input.cacheRead }),
    ...details('promptTokensDetails', input, usage.input),
    ...details('candidatesTokensDetails', output - thoughts, usage.output),
  };
}

function details(
  name: string,
  total: number,
  parts: { readonly audio?: number; readonly image?: number },
): Record<string, unknown> {
  const audio = parts.audio ?? 0;
  const image = parts.image ?? 0;
  if (total === 0) return {};
  const text = total - audio - image;
  const list = [
    { modality: 'TEXT', tokenCount: text },
    { modality: 'AUDIO', tokenCount: audio },
    { modality: 'IMAGE', tokenCount: image },
  ].filter(({ tokenCount }) => tokenCount > 0);
  return { [name]: list };
}
