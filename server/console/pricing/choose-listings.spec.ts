import { describe, expect, it } from '@jest/globals';
import { chooseListings } from './price-sync.service.js';

const listing = (model: string, provider: string, unsupported?: string) => ({
  model,
  provider,
  input: 1,
  ...(unsupported === undefined ? {} : { unsupported }),
});
const nobodys = () => false;
const providersOf = (...asked: Parameters<typeof chooseListings>) =>
  chooseListings(...asked).map(({ model, provider }) => `${model}: ${provider}`);

describe('chooseListings', () => {
  it('takes the maker’s own service', () => {
    const list = [listing('gpt-4o', 'azure'), listing('gpt-4o', 'openai'), listing('gpt-4o', 'reseller')];
    expect(providersOf(list, [], nobodys)).toEqual(['gpt-4o: openai']);
  });

  it('leaves out what only resellers list, unless the model has a price here', () => {
    const list = [listing('gpt-4o', 'azure')];
    expect(providersOf(list, [], nobodys)).toEqual([]);
    expect(providersOf(list, [], (model) => model === 'gpt-4o')).toEqual(['gpt-4o: azure']);
  });

  it('takes the first seller in the list for an unknown maker', () => {
    const list = [listing('some-model', 'first'), listing('some-model', 'second')];
    expect(providersOf(list, [], nobodys)).toEqual(['some-model: first']);
  });

  it('uses the requested providers, in their order, and no others', () => {
    const list = [listing('gpt-4o', 'openai'), listing('gpt-4o', 'azure'), listing('gpt-4o', 'b')];
    expect(providersOf(list, ['azure', 'openai'], nobodys)).toEqual(['gpt-4o: azure']);
    expect(providersOf(list, ['c'], nobodys)).toEqual([]);
  });

  it('prefers a listing with a price to one that cannot be expressed here', () => {
    const list = [listing('gpt-4o', 'azure', 'no price'), listing('gpt-4o', 'openai')];
    expect(providersOf(list, ['azure', 'openai'], nobodys)).toEqual(['gpt-4o: openai']);
  });
});
