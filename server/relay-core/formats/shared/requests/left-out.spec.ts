import { describe, expect, it } from '@jest/globals';
import { parsedBy, someEdits } from '../../../../../test/support/relay-calls.js';
import type { UpstreamFormat } from '../../contract/api-format.js';
import { geminiEmbedBatch, vertexEmbed } from '../../gemini-embed/index.js';
import { openaiEmbeddings } from '../../openai-embeddings/index.js';
import { aliRerank, bedrockRerank, cohereRerank, rerank } from '../../rerank/index.js';
import { baiduEmbed } from '../../../providers/baidu/embed.js';
import { bedrockCohereEmbed, novaEmbed, titanEmbed } from '../../../providers/bedrock/embed.js';
import { cohereEmbed } from '../../../providers/cohere/embed.js';
import { jinaEmbed } from '../../../providers/jina/embed.js';
import { ollamaEmbed } from '../../../providers/ollama/embed.js';

type Written = { readonly body: Record<string, unknown>; readonly lost: readonly string[] };

function written({ body, warnings }: ReturnType<UpstreamFormat<'embed'>['writeRequest']>): Written {
  return {
    body: JSON.parse(body.toString()) as Record<string, unknown>,
    lost: warnings.map(({ setting }) => setting),
  };
}

function embed(apiFormat: UpstreamFormat<'embed'>, more: object): Written {
  const neutral = parsedBy(openaiEmbeddings, { model: 'm', input: 'x', ...more }).neutral();
  if (!neutral.ok) throw new Error(neutral.error.message);
  return written(apiFormat.writeRequest(neutral.value, someEdits()));
}

function rank(apiFormat: UpstreamFormat<'rerank'>, more: object, upstreamModel = 'up'): Written {
  const neutral = parsedBy(rerank, { model: 'm', query: 'q', documents: ['a'], ...more }).neutral();
  if (!neutral.ok) throw new Error(neutral.error.message);
  return written(apiFormat.writeRequest(neutral.value, someEdits({ upstreamModel })));
}

const EXTRAS = { input_type: 'query', truncate: 'END', task: 'retrieval.query', user: 'u', api_base: 'x' };

describe('members of embedding calls that a vendor does not have', () => {
  it.each([
    ['Cohere', cohereEmbed, ['user', 'task']],
    ['Titan', titanEmbed, ['user', 'input_type', 'truncate', 'task']],
    ['Nova', novaEmbed, ['user', 'input_type', 'truncate', 'task']],
    ['Cohere at Bedrock', bedrockCohereEmbed, ['user', 'task']],
    ['Baidu', baiduEmbed, ['input_type', 'truncate', 'task']],
    ['Ollama', ollamaEmbed, ['user', 'input_type', 'task']],
    ['Gemini', geminiEmbedBatch, ['input_type', 'truncate', 'task', 'user']],
    ['Vertex', vertexEmbed, ['input_type', 'truncate', 'task', 'user']],
    ['Jina', jinaEmbed, ['user']],
  ])('warns of each by its name: %s', (_name, apiFormat, lost) => {
    expect(embed(apiFormat, EXTRAS).lost).toEqual(lost);
  });

  it('warns of the encoding that Jina has no word for', () => {
    expect(embed(jinaEmbed, { embedding_type: 'binary' }).lost).toEqual(['embedding_type']);
  });
});

describe('members that a vendor has under another name', () => {
  const asked = { task_type: 'RETRIEVAL_QUERY', title: 'T', auto_truncate: false };

  it('passes task_type to Gemini as taskType, in each of the requests', () => {
    const { body, lost } = embed(geminiEmbedBatch, { ...asked, input: ['x', 'y'] });
    const requests = body['requests'] as Record<string, unknown>[];
    expect(requests.map(({ taskType, title }) => [taskType, title])).toEqual([
      ['RETRIEVAL_QUERY', 'T'],
      ['RETRIEVAL_QUERY', 'T'],
    ]);
    expect(lost).toEqual(['auto_truncate']);
  });

  it('passes it to Vertex with each of the texts', () => {
    const { body, lost } = embed(vertexEmbed, asked);
    expect(body).toEqual({
      instances: [{ content: 'x', task_type: 'RETRIEVAL_QUERY', title: 'T' }],
      parameters: { autoTruncate: false },
    });
    expect(lost).toEqual([]);
  });

  it.each(['instruct', 'instruction'])('passes %s to the DashScope model that reads one', (name) => {
    const { body, lost } = rank(aliRerank, { [name]: 'find answers' }, 'qwen3-rerank');
    expect(body['parameters']).toEqual({ return_documents: false, instruct: 'find answers' });
    expect(lost).toEqual([]);
  });
});

describe('members of rankings that a vendor does not have', () => {
  it.each([
    ['DashScope', aliRerank, { instruction: 'i', rank_fields: ['a'] }, ['instruction', 'rank_fields']],
    ['Bedrock', bedrockRerank, { instruct: 'i' }, ['instruct']],
    ['Cohere', cohereRerank, { max_chunks_per_doc: 3, max_tokens_per_doc: 9 }, ['max_chunks_per_doc']],
  ])('warns of each by its name: %s', (_name, apiFormat, more, lost) => {
    expect(rank(apiFormat, more).lost).toEqual(lost);
  });
});
