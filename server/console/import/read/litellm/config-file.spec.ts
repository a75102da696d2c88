import { describe, expect, it } from '@jest/globals';
import { renderSentence } from '../../../../common/import-sentences/sentence.js';
import { ConfigFileError, readConfigFile } from './config-file.js';
import { type LitellmModel, modelOf } from './litellm-channels.js';
import { fallbackChannels } from './fallback-channels.js';

const VARIABLES: Readonly<Record<string, string>> = { OPENAI_KEY: 'sk-up-1', AZURE_KEY: 'az-1' };
const read = (text: string) => readConfigFile(text, (name) => VARIABLES[name]);
const channelsOf = (text: string) => {
  const config = read(text);
  const facts = { teams: new Map(), aliases: config.aliases };
  const own = config.deployments.map((each) => modelOf(each, facts, (dollars) => dollars * 500_000));
  return {
    config,
    own,
    added: fallbackChannels(own, { fallbacks: config.fallbacks, isPriced: () => true }, []),
  };
};

const reasonsOf = (model: LitellmModel | undefined): string[] | undefined =>
  model?.channel.offReasons.map((one) => renderSentence(one, 'en'));

const FILE = `
model_list:
  - model_name: gpt-4o
    litellm_params: { model: openai/gpt-4o, api_key: os.environ/OPENAI_KEY, rpm: 60, max_budget: 5, budget_duration: 1d }
  - model_name: gpt-4o
    litellm_params: { model: azure/gpt4o-eu, api_key: os.environ/AZURE_KEY, api_base: "https://eu.example/", api_version: "2024-10-21", weight: 3 }
  - model_name: claude
    litellm_params: { model: anthropic/claude-sonnet-4-5, api_key: os.environ/MISSING }
  - model_name: own
    litellm_params: { model: hosted_vllm/qwen, api_base: http://gpu:8000/v1, api_key: os.environ/OWN, guardrails: [pii] }
environment_variables: { OWN: key-of-file }
router_settings:
  model_group_alias: { gpt-4: gpt-4o, hidden: { model: claude, hidden: true } }
  fallbacks: [{ gpt-4o: [claude] }]
  routing_strategy: latency-based-routing
litellm_settings: { timezone: Europe/Berlin, max_budget: 100, budget_duration: 30d, drop_params: true }
general_settings: { master_key: sk-1234 }
`;

describe('config.yaml of LiteLLM', () => {
  it('makes a channel of each deployment, with keys from the environment and from the file', () => {
    const { own } = channelsOf(FILE);
    expect(
      own.map(({ channel }) => [
        channel.type,
        channel.key,
        channel.fields['models'],
        channel.offReasons.length,
      ]),
    ).toEqual([
      [1, 'sk-up-1', 'gpt-4o,gpt-4', 0],
      [3, 'az-1', 'gpt-4o,gpt-4', 0],
      [14, '', 'claude,hidden', 1],
      [1, 'key-of-file', 'own', 1],
    ]);
    expect(own[1]?.channel.fields).toMatchObject({ weight: 3, other: '2024-10-21' });
    expect(JSON.parse(String(own[1]?.channel.fields['model_mapping']))).toEqual({
      'gpt-4o': 'gpt4o-eu',
      'gpt-4': 'gpt4o-eu',
    });
  });

  it('never sends the name of a variable as a key, and names the variable that is missing', () => {
    const { own } = channelsOf(FILE);
    expect(JSON.stringify(own)).not.toContain('os.environ');
    expect(reasonsOf(own[2])).toEqual([
      'its api_key is in the environment variable MISSING, which is not set here',
    ]);
    expect(reasonsOf(own[3])).toEqual(['it has guardrails, which is not known here']);
  });

  it('holds limits of deployments, and the budget and zone of all', () => {
    const { config, own } = channelsOf(FILE);
    expect(own[0]?.limits.map(({ measure, amount, period }) => [measure, amount, period])).toEqual([
      ['requests', 60, 'minute'],
      ['quota', 2_500_000, 'day'],
    ]);
    expect(config.budget).toEqual({ max: 100, length: '30d' });
    expect(config.timeZone).toBe('Europe/Berlin');
  });

  it('adds a channel of lower priority for each fallback', () => {
    const { added } = channelsOf(FILE);
    expect(added.map(({ channel }) => [channel.fields['models'], channel.fields['model_mapping']])).toEqual([
      ['gpt-4o', '{"gpt-4o":"claude-sonnet-4-5"}'],
    ]);
    expect(Number(added[0]?.channel.fields['priority'])).toBeLessThan(0);
    // It is as little usable as the channel it comes from.
    expect(added[0]?.channel.offReasons).toHaveLength(1);
  });

  it('names what has no counterpart, without values', () => {
    const { notes } = read(FILE);
    expect(notes.map(({ id, sentence }) => [id, renderSentence(sentence, 'en')])).toEqual([
      ['router_settings', 'routing_strategy: no counterpart, set by hand'],
      ['litellm_settings', 'drop_params: no counterpart, set by hand'],
    ]);
    expect(JSON.stringify(notes)).not.toContain('sk-1234');
  });

  it('gives a deployment the same number wherever it stands in the file', () => {
    const one = read(
      'model_list: [{model_name: a, litellm_params: {model: openai/a}}, {model_name: b, litellm_params: {model: openai/b}}]',
    );
    const other = read(
      'model_list: [{model_name: b, litellm_params: {model: openai/b}}, {model_name: a, litellm_params: {model: openai/a}}]',
    );
    expect(other.deployments.map(({ id }) => id).toReversed()).toEqual(one.deployments.map(({ id }) => id));
    const twice = read(
      'model_list: [{model_name: a, litellm_params: {model: openai/a}}, {model_name: a, litellm_params: {model: openai/a}}]',
    );
    expect(new Set(twice.deployments.map(({ id }) => id)).size).toBe(2);
  });

  it.each([
    ['model_list: [a: {', 'is not YAML'],
    ['just text', 'has no sections'],
    ['model_list: { a: 1 }', 'model_list of the configuration file is no list'],
  ])('refuses %j with a sentence', (text, sentence) => {
    expect(() => read(text)).toThrow(ConfigFileError);
    expect(() => read(text)).toThrow(sentence);
  });

  it('names a model without a name, and files that are included', () => {
    const { notes, deployments } = read(
      'include: [more.yaml]\nmodel_list: [{ litellm_params: { model: openai/a } }]',
    );
    expect(deployments).toEqual([]);
    expect(notes.map(({ kind, id }) => [kind, id])).toEqual([
      ['left-out', 'include'],
      ['damaged', '1'],
    ]);
  });
});
